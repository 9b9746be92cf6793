//! stub
use crate::language::Language;
pub(crate) static LUA: Language = Language { name: "lua", dialect: "lua", extensions: &["lua"], grammar: || tree_sitter_lua::LANGUAGE.into(), ..Language::BASE };
