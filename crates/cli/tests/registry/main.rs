//! A registry as its users run it: the binary, real servers by https, and real repositories of git, all on this machine. Tests are named after the clauses of the protocol.

mod drift;
mod forge;
mod replies;
mod security;
mod server;
mod visits;
mod world;
