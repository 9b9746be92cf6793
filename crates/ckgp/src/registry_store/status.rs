//! The statuses of a graph, in the protocol's words (section 5.3 of the text, amendment to the statuses; ruling 1).

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a graph is. The first nine are the protocol's, and mean what it says.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Registered, and not visited yet.
    #[default]
    Pending,
    /// Fetched, read and found to be good.
    Ok,
    /// There was nothing at its address.
    Missing,
    /// What was fetched breaks its format.
    Invalid,
    /// It is larger than a body may be.
    Oversize,
    /// It could not be fetched, and may be another time.
    TransientError,
    /// There was nothing at its address for [`DEAD_AFTER`] visits in a row.
    Dead,
    /// The repository has another name now.
    Renamed,
    /// It is revoked.
    Revoked,
    /// Its address is not allowed.
    Refused,
    /// Its format is not known here.
    Unsupported,
}

/// Visits in a row that find nothing, after which a graph is dead.
pub const DEAD_AFTER: u32 = 7;

impl Status {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Pending,
        Self::Ok,
        Self::Missing,
        Self::Invalid,
        Self::Oversize,
        Self::TransientError,
        Self::Dead,
        Self::Renamed,
        Self::Revoked,
        Self::Refused,
        Self::Unsupported,
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Ok => "ok",
            Self::Missing => "missing",
            Self::Invalid => "invalid",
            Self::Oversize => "oversize",
            Self::TransientError => "transient_error",
            Self::Dead => "dead",
            Self::Renamed => "renamed",
            Self::Revoked => "revoked",
            Self::Refused => "refused",
            Self::Unsupported => "unsupported",
        }
    }

    /// The status that a word is.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }

    /// Whether a graph of this status is never asked for, and nothing is held of it.
    pub fn is_at_rest(self) -> bool {
        matches!(self, Self::Renamed | Self::Revoked)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ruling1_the_words_of_statuses_are_those_of_the_protocol_and_two_more() {
        let words: Vec<&str> = Status::ALL.iter().map(|status| status.word()).collect();
        assert_eq!(
            words.join(" "),
            "pending ok missing invalid oversize transient_error dead renamed revoked refused unsupported"
        );
        for status in Status::ALL {
            assert_eq!(Status::parse(status.word()), Some(status));
            let written = serde_json::to_string(&status).unwrap();
            assert_eq!(written, format!("\"{status}\""));
            assert_eq!(serde_json::from_str::<Status>(&written).unwrap(), status);
        }
        assert_eq!(Status::parse("OK"), None);
    }
}
