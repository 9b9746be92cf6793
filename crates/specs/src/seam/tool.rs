//! `Tool`: a name and a discriminator that a specification fixes, standing for several operations.

use super::{ErrorKind, OpError, Toolset};

/// A tool whose `operation` argument says which operation is meant.
#[derive(Clone, Copy)]
pub struct Tool {
    /// The name.
    pub name: &'static str,
    /// The group of tools that it belongs to.
    pub toolset: Toolset,
    /// What it is for.
    pub description: &'static str,
    /// The argument that chooses.
    pub discriminator: &'static str,
    /// The choices.
    pub branches: &'static [Branch],
    /// The specification's way to wrap an answer.
    pub envelope: fn(&Branch, Result<serde_json::Value, &OpError>) -> serde_json::Value,
}

/// One choice of a [`Tool`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The discriminator's value.
    pub value: &'static str,
    /// The name of the operation.
    pub operation: &'static str,
}

impl Tool {
    /// The branch that the arguments choose, and the arguments without the discriminator.
    pub fn choose(
        &self,
        mut arguments: serde_json::Map<String, serde_json::Value>,
    ) -> Result<(&'static Branch, serde_json::Value), OpError> {
        let choices = || {
            self.branches
                .iter()
                .map(|branch| branch.value)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let chosen = arguments.remove(self.discriminator);
        let Some(chosen) = chosen.as_ref().and_then(|value| value.as_str()) else {
            let message = format!("`{}` needs the argument `{}`", self.name, self.discriminator);
            return Err(OpError::new(ErrorKind::Invalid, message).hint(format!("one of: {}", choices())));
        };
        match self.branches.iter().find(|branch| branch.value == chosen) {
            Some(branch) => Ok((branch, serde_json::Value::Object(arguments))),
            None => {
                let message = format!("`{}` has no {} `{chosen}`", self.name, self.discriminator);
                Err(OpError::new(ErrorKind::Invalid, message).hint(format!("one of: {}", choices())))
            }
        }
    }
}
