//! A registry as its users run it: the binary, real servers by https, and real repositories of git, all on this machine. Tests are named after the clauses of the protocol.
#![expect(
    clippy::disallowed_methods,
    reason = "tests make files, start processes and serve on the loopback address"
)]

mod documents;
mod drift;
mod forge;
mod hostile;
mod processes;
mod replies;
mod rulings;
mod security;
mod server;
mod visits;
mod world;
