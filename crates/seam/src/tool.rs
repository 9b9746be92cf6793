//! `Tool`: an MCP tool whose name and discriminator a specification defines, for several operations.

use super::{ErrorKind, OpError, Toolset};

/// An MCP tool that dispatches to several operations by a discriminator argument.
#[derive(Clone, Copy)]
pub struct Tool {
    /// The name of the tool.
    pub name: &'static str,
    /// The toolset that contains the tool.
    pub toolset: Toolset,
    /// The description for agents.
    pub description: &'static str,
    /// The name of the argument that selects the operation.
    pub discriminator: &'static str,
    /// The operations that the argument can select.
    pub branches: &'static [Branch],
    /// Wraps an outcome in the response format of the specification.
    pub envelope: fn(&Branch, Result<serde_json::Value, &OpError>) -> serde_json::Value,
}

/// One operation of a [`Tool`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The value of the discriminator.
    pub value: &'static str,
    /// The name of the operation.
    pub operation: &'static str,
}

impl Tool {
    /// The branch that the arguments select, and the arguments without the discriminator.
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
