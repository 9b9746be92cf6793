//! The error that led to another error.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// The error that led to another error: its message and the chain below it. Errors that keep a cause can still be cloned
/// and compared; two causes are equal if their messages are.
#[derive(Clone)]
pub struct Cause(Arc<dyn Error + Send + Sync>);

impl Cause {
    /// Keeps an error as a cause.
    pub fn new(error: impl Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(error))
    }
}

impl From<Box<dyn Error + Send + Sync>> for Cause {
    fn from(error: Box<dyn Error + Send + Sync>) -> Self {
        Self(error.into())
    }
}

impl From<String> for Cause {
    fn from(message: String) -> Self {
        Self(Arc::from(Box::<dyn Error + Send + Sync>::from(message)))
    }
}

impl From<&str> for Cause {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl PartialEq for Cause {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

impl Eq for Cause {}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_has_the_message_and_the_chain_of_its_error() {
        let cause = Cause::new(Cause::new(std::io::Error::other("the disk is full")));
        assert_eq!(cause.to_string(), "the disk is full");
        assert_eq!(cause, Cause::from("the disk is full"));
        assert_ne!(cause, Cause::from("the disk is slow"));
        assert!(Cause::from("no more").source().is_none());
    }
}
