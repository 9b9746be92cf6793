//! Distinguishes C, C++ and Objective-C if the extension does not.

use super::tokens::{Kind, tokens};

/// Whether a text has constructs that only C++ has, outside of the parts for C++ in a header for both.
pub(crate) fn has_classes(text: &str) -> bool {
    let source = text.as_bytes();
    let tokens = tokens(source);
    let mut foreign: Vec<bool> = Vec::new();
    let mut before: [&[u8]; 2] = [b"", b""];
    for (at, token) in tokens.iter().enumerate() {
        let word = token.text(source);
        if token.kind == Kind::Directive {
            let directive: Vec<&[u8]> = word
                .split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_' && *byte != b'!')
                .filter(|part| !part.is_empty())
                .collect();
            match directive.first() {
                Some(&(b"if" | b"ifdef")) => foreign.push(directive.contains(&b"__cplusplus".as_slice())),
                Some(&b"ifndef") => foreign.push(false),
                Some(&b"else") => {
                    if let Some(last) = foreign.last_mut() {
                        *last = false;
                    }
                }
                Some(&b"endif") => {
                    foreign.pop();
                }
                Some(&b"include") if foreign.iter().all(|foreign| !foreign) && is_cpp_header(word) => return true,
                _ => {}
            }
            before = [b"", b""];
            continue;
        }
        let next = tokens.get(at + 1);
        let next_word = next.map_or(b"".as_slice(), |next| next.text(source));
        let next_is_word = next.is_some_and(|next| next.kind == Kind::Word);
        let begins = matches!(before[1], b"" | b";" | b"{" | b"}" | b">" | b")");
        let found = foreign.iter().all(|foreign| !foreign)
            && match word {
                b"namespace" => begins && (next_is_word || next_word == b"{"),
                b"class" => (begins || before[1] == b"friend" || before[1] == b"enum") && next_is_word,
                b"template" => begins && next_word == b"<",
                b"public" | b"private" | b"protected" => next_word == b":" || (next_is_word && before[1] == b":"),
                b"using" => begins && next_is_word,
                b"operator" => {
                    !next_is_word
                        && next_word != b";"
                        && next_word != b","
                        && next_word != b")"
                        && !before[1].is_empty()
                }
                b"virtual" | b"typename" | b"constexpr" | b"noexcept" | b"nullptr" | b"static_cast"
                | b"reinterpret_cast" | b"explicit" => next_is_word || matches!(next_word, b"(" | b"<" | b"{" | b";"),
                b"::" => before[1] == b"std",
                b"&" => is_reference(&before, next_is_word),
                b"<" => before[0] == b"typedef",
                _ => false,
            };
        if found {
            return true;
        }
        before = [before[1], word];
    }
    false
}

/// `const T& x` in parameters.
fn is_reference(before: &[&[u8]; 2], next_is_word: bool) -> bool {
    next_is_word && before[0] == b"const" && before[1].first().is_some_and(u8::is_ascii_alphabetic)
}

/// `#include <vector>`: no header of C lacks its extension.
fn is_cpp_header(directive: &[u8]) -> bool {
    let Some(open) = directive.iter().position(|byte| *byte == b'<') else {
        return directive.ends_with(b".hpp\"") || directive.ends_with(b".hh\"");
    };
    let name = &directive[open + 1..];
    let name = name.strip_suffix(b">").unwrap_or(name);
    !name.contains(&b'.') && !name.is_empty() && name.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
}

/// Whether a text holds the classes of Objective-C.
pub(crate) fn has_objects(text: &str) -> bool {
    let source = text.as_bytes();
    let tokens = tokens(source);
    tokens.iter().zip(tokens.iter().skip(1)).any(|(sign, word)| {
        sign.is(b'@')
            && matches!(
                word.text(source),
                b"interface" | b"implementation" | b"protocol" | b"property" | b"end"
            )
    })
}

/// Whether a text imports as Objective-C does.
pub(crate) fn imports_objects(text: &str) -> bool {
    text.lines().map(str::trim_start).any(|line| {
        line.starts_with("@import ") || line.starts_with("@class ") || {
            let directive = line.strip_prefix('#').map_or("", str::trim_start);
            directive.starts_with("import ") || directive.starts_with("import\t")
        }
    })
}

/// Whether a text could be of the family at all.
pub(crate) fn is_c_like(text: &str) -> bool {
    let directives = ["#include", "#import", "#define", "#ifdef", "#ifndef"];
    text.lines().any(|line| {
        directives
            .iter()
            .any(|directive| line.trim_start().starts_with(directive))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_each_language() {
        for cpp in [
            "class A { };",
            "namespace a { }",
            "template <class T> T f(T);",
            "struct A { private: int x; };",
            "#include <vector>\n",
            "void f(const A& a);",
            "using A = int;",
            "std::string f();",
            "enum class A { B };",
        ] {
            assert!(has_classes(cpp), "{cpp}");
        }
        for c in [
            "int class, namespace; struct template { int private; };",
            "#ifdef __cplusplus\nextern \"C\" {\nclass A;\n#endif\nint f(void);\n",
            "/* class A { }; */ // namespace a {\n",
            "#include <stdio.h>\nint f(int a, int b) { return a & b; }\n",
            "#define X \"namespace a { }\"\n",
        ] {
            assert!(!has_classes(c), "{c}");
            assert!(!has_objects(c), "{c}");
        }
        assert!(has_objects("@interface A : B\n@end\n"));
        assert!(!has_objects("// @interface A\nchar *s = \"@end\";\n"));
        assert!(imports_objects("#import <A/A.h>\n") && imports_objects("# import \"a.h\"\n"));
        assert!(!imports_objects("#include <a.h>\n"));
        assert!(!is_c_like("% MATLAB\nfunction y = f(x)\n"));
    }
}
