//! A code graph made of a fetched body.
