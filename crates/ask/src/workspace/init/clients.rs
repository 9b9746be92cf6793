//! The clients that Lore knows how to set up: one row each, with the files that it reads in a repository.

/// A client.
pub(super) struct Client {
    /// The name that `--agent` takes.
    pub(super) name: &'static str,
    /// Other names that `--agent` takes.
    pub(super) aliases: &'static [&'static str],
    /// What people call it.
    pub(super) title: &'static str,
    /// Files and directories that are there where it is used.
    pub(super) signs: &'static [&'static str],
    /// Where it looks for servers.
    pub(super) server: Option<ServerFile>,
    /// Where it looks for what it should know of a repository.
    pub(super) note: NoteFile,
    /// The directory in which it looks for skills.
    pub(super) skills: Option<&'static str>,
    /// What to know before setting it up.
    pub(super) remark: Option<&'static str>,
}

/// A file that names servers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ServerFile {
    /// Where it may be: the first that is there, or else the first.
    pub(super) paths: &'static [&'static str],
    /// The keys that lead to the servers.
    pub(super) keys: &'static [&'static str],
    /// The keys that lead to them in a file of another form, which is known by them.
    pub(super) other_keys: Option<&'static [&'static str]>,
    /// How a server is written.
    pub(super) shape: Shape,
}

/// How a client writes a server down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// `command` and `args`, in JSON.
    Plain,
    /// The same, after `"type": "stdio"`.
    Stdio,
    /// One list that holds the command too, after `"type": "local"`.
    Local,
    /// `command` and `args`, in TOML.
    Toml,
}

/// A file with instructions for agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NoteFile {
    /// Where it may be: the first that is there, or else the first.
    pub(super) paths: &'static [&'static str],
    /// What it has to begin with.
    pub(super) opening: &'static str,
}

/// The file that many clients read.
pub(super) const AGENTS: &str = "AGENTS.md";
/// The files that can take in another one, on a line of their own.
pub(super) const IMPORTING: &[&str] = &["CLAUDE.md", "GEMINI.md"];

/// Every file of a repository that is read or written for some client.
pub(super) fn paths() -> Vec<String> {
    let fixed = CLIENTS.iter().flat_map(|client| {
        let servers = client.server.map_or(&[][..], |server| server.paths);
        servers.iter().chain(client.note.paths).map(|path| (*path).to_owned())
    });
    let directories = CLIENTS.iter().filter_map(|client| client.skills);
    let skills = directories.flat_map(|directory| crate::SKILLS.iter().map(move |skill| skill_path(directory, skill)));
    fixed.chain(skills).collect()
}

/// The file of a skill in a directory of skills.
pub(super) fn skill_path(directory: &str, skill: &lore_seam::Skill) -> String {
    format!("{directory}/{}/SKILL.md", skill.name)
}

const fn plain(paths: &'static [&'static str], keys: &'static [&'static str]) -> Option<ServerFile> {
    shaped(paths, keys, Shape::Plain)
}

const fn shaped(paths: &'static [&'static str], keys: &'static [&'static str], shape: Shape) -> Option<ServerFile> {
    Some(ServerFile {
        paths,
        keys,
        other_keys: None,
        shape,
    })
}

const fn note(paths: &'static [&'static str]) -> NoteFile {
    NoteFile { paths, opening: "" }
}

const fn rule(paths: &'static [&'static str], opening: &'static str) -> NoteFile {
    NoteFile { paths, opening }
}

const MCP_SERVERS: &[&str] = &["mcpServers"];

/// All of them, by name.
pub(super) static CLIENTS: &[Client] = &[
    Client {
        name: "amp",
        aliases: &[],
        title: "Amp",
        signs: &[".amp"],
        server: plain(&[".amp/settings.json", ".amp/settings.jsonc"], &["amp.mcpServers"]),
        note: note(&[AGENTS]),
        skills: None,
        remark: Some("Amp starts a server of a repository after approval: `amp mcp approve lore`"),
    },
    Client {
        name: "claude-code",
        aliases: &["claude"],
        title: "Claude Code",
        signs: &[".claude", ".mcp.json", "CLAUDE.md"],
        server: plain(&[".mcp.json"], MCP_SERVERS),
        note: note(&["CLAUDE.md"]),
        skills: Some(".claude/skills"),
        remark: Some("Claude Code asks once before it starts a server of a repository"),
    },
    Client {
        name: "cline",
        aliases: &[],
        title: "Cline",
        signs: &[".clinerules"],
        server: None,
        note: note(&[".clinerules/lore.md"]),
        skills: None,
        remark: Some(
            "Cline reads servers only from its own settings; add there under \"mcpServers\": \"lore\": {\"command\": \"lore\", \"args\": [\"mcp\", \"/path/to/the/repository\"]}",
        ),
    },
    Client {
        name: "codex",
        aliases: &[],
        title: "Codex",
        signs: &[".codex"],
        server: shaped(&[".codex/config.toml"], &["mcp_servers"], Shape::Toml),
        note: note(&[AGENTS]),
        skills: None,
        remark: Some("Codex reads .codex/config.toml only in a trusted project"),
    },
    Client {
        name: "cursor",
        aliases: &[],
        title: "Cursor",
        signs: &[".cursor", ".cursorrules"],
        server: plain(&[".cursor/mcp.json"], MCP_SERVERS),
        note: rule(
            &[".cursor/rules/lore.mdc"],
            "---\ndescription: How to ask about the code of this repository\nalwaysApply: true\n---\n\n",
        ),
        skills: None,
        remark: Some("Cursor may keep a new server disabled until you enable it in the settings"),
    },
    Client {
        name: "gemini",
        aliases: &["gemini-cli"],
        title: "Gemini CLI",
        signs: &[".gemini", "GEMINI.md"],
        server: plain(&[".gemini/settings.json"], MCP_SERVERS),
        note: note(&["GEMINI.md"]),
        skills: None,
        remark: None,
    },
    Client {
        name: "goose",
        aliases: &[],
        title: "goose",
        signs: &[".goosehints"],
        server: None,
        note: note(&[AGENTS]),
        skills: None,
        remark: Some(
            "goose reads servers only from ~/.config/goose/config.yaml; for one session: goose session --with-extension \"lore mcp\"",
        ),
    },
    Client {
        name: "junie",
        aliases: &[],
        title: "Junie",
        signs: &[".junie"],
        server: plain(&[".junie/mcp/mcp.json"], MCP_SERVERS),
        note: note(&[".junie/AGENTS.md", ".junie/guidelines.md"]),
        skills: None,
        remark: None,
    },
    Client {
        name: "kiro",
        aliases: &[],
        title: "Kiro",
        signs: &[".kiro"],
        server: plain(&[".kiro/settings/mcp.json"], MCP_SERVERS),
        note: rule(&[".kiro/steering/lore.md"], "---\ninclusion: always\n---\n\n"),
        skills: None,
        remark: Some("Kiro starts a server of a repository only in a trusted workspace"),
    },
    Client {
        name: "opencode",
        aliases: &[],
        title: "OpenCode",
        signs: &[".opencode", "opencode.json", "opencode.jsonc"],
        server: Some(ServerFile {
            paths: &[
                "opencode.json",
                "opencode.jsonc",
                ".opencode/opencode.json",
                ".opencode/opencode.jsonc",
            ],
            keys: &["mcp"],
            // From version 2 on, which also reads the older form.
            other_keys: Some(&["mcp", "servers"]),
            shape: Shape::Local,
        }),
        note: note(&[AGENTS]),
        skills: None,
        remark: None,
    },
    Client {
        name: "roo",
        aliases: &["roo-code"],
        title: "Roo Code",
        signs: &[".roo", ".roorules"],
        server: plain(&[".roo/mcp.json"], MCP_SERVERS),
        note: note(&[".roo/rules/lore.md"]),
        skills: None,
        remark: None,
    },
    Client {
        name: "vscode",
        aliases: &["copilot"],
        title: "VS Code with Copilot",
        signs: &[".vscode", ".github/copilot-instructions.md"],
        server: shaped(&[".vscode/mcp.json"], &["servers"], Shape::Stdio),
        note: note(&[".github/copilot-instructions.md"]),
        skills: None,
        remark: Some("VS Code asks once before it starts a server of a repository"),
    },
    Client {
        name: "windsurf",
        aliases: &[],
        title: "Windsurf",
        signs: &[".windsurf", ".windsurfrules"],
        server: None,
        note: rule(&[".windsurf/rules/lore.md"], "---\ntrigger: always_on\n---\n\n"),
        skills: None,
        remark: Some(
            "Windsurf reads servers only from ~/.codeium/windsurf/mcp_config.json; add under \"mcpServers\": \"lore\": {\"command\": \"lore\", \"args\": [\"mcp\", \"/path/to/the/repository\"]}",
        ),
    },
    Client {
        name: "zed",
        aliases: &[],
        title: "Zed",
        signs: &[".zed"],
        server: plain(&[".zed/settings.json"], &["context_servers"]),
        note: note(&[AGENTS]),
        skills: None,
        remark: Some("Zed starts a server of a repository only in a trusted repository"),
    },
];

/// The client that a name means.
pub(super) fn client(name: &str) -> Option<&'static Client> {
    CLIENTS
        .iter()
        .find(|client| client.name == name || client.aliases.contains(&name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_sorted_and_mean_one_client() {
        let names: Vec<&str> = CLIENTS.iter().map(|client| client.name).collect();
        assert!(names.is_sorted(), "{names:?}");
        let all: Vec<&str> = CLIENTS
            .iter()
            .flat_map(|client| client.aliases.iter().chain([&client.name]).copied())
            .chain(["all", "auto"])
            .collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{all:?}");
    }

    #[test]
    fn no_two_clients_write_different_servers_into_one_file() {
        for one in CLIENTS.iter().filter_map(|client| client.server) {
            for other in CLIENTS.iter().filter_map(|client| client.server) {
                let shared = one.paths.iter().any(|path| other.paths.contains(path));
                assert!(!shared || one == other, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn the_shared_file_is_no_sign_of_a_client() {
        assert!(CLIENTS.iter().all(|client| !client.signs.contains(&AGENTS)));
    }
}
