//! get
