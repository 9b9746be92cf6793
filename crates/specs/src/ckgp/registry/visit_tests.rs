//! Visits, reply by reply.
