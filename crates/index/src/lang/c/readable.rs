//! A source as the grammar can read it: without the preprocessor, and without macros that hide the shape of declarations.
//!
//! What is masked becomes a comment in the copy that the grammar sees. The walker reads the source itself, so that it still finds the
//! directive or macro there.

use super::edits::Edits;
use super::heads::Declarations;
use super::view::{self, View};
use super::{bodies, conditions, everywhere, heads, tokens};

/// Whose grammar is to read a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    C,
    Cpp,
    ObjectiveC,
}

/// The copy of a source for a grammar; nothing where the source itself will do.
pub(crate) fn readable(source: &str, dialect: Dialect) -> Option<String> {
    let bytes = source.as_bytes();
    let mut edits = Edits::default();
    let all = tokens::tokens(bytes);
    let live = conditions::settle(bytes, &all, dialect != Dialect::Cpp, &mut edits);
    drop(all);
    let view = View {
        source: bytes,
        tokens: &live,
        pairs: &view::pairs(&live),
        in_cpp: dialect == Dialect::Cpp,
        in_objects: dialect == Dialect::ObjectiveC,
    };
    let mut parts = vec![Declarations {
        first: 0,
        end: live.len(),
        class: None,
    }];
    // Bodies hold classes, whose methods have bodies.
    while let Some(part) = parts.pop() {
        for body in heads::mask(view, &part, &mut edits) {
            parts.extend(bodies::mask(view, body, &mut edits));
        }
    }
    everywhere::mask(view, &mut edits);
    edits.apply(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a source as the grammar sees them, without the white space at their ends.
    fn read(dialect: Dialect, source: &str) -> String {
        let read = readable(source, dialect).unwrap_or_else(|| source.to_owned());
        assert_eq!(read.len(), source.len(), "every byte keeps its place");
        let lines: Vec<&str> = read.lines().map(str::trim_end).collect();
        lines.join("\n")
    }

    fn squeezed(dialect: Dialect, source: &str) -> String {
        read(dialect, source).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_source_without_riddles_is_left_alone() {
        let source = "/* a */\nint f(int x) { return x ? 1 : 2; } // b\nstruct s { int y; };\n";
        assert_eq!(readable(source, Dialect::C), None);
    }

    #[test]
    fn directives_go_and_what_they_say_stays_in_place() {
        assert_eq!(
            read(Dialect::C, "#define A 1 // b\n#pragma x\nint a;\n"),
            "/*       */ // b\n\nint a;"
        );
        assert_eq!(
            read(Dialect::C, "#define F(x) \\\n  do { \\\n  } while (0)\nint a;\n"),
            "/*\n\n           */\nint a;"
        );
    }

    #[test]
    fn branches_stand_one_after_the_other_where_they_can() {
        for (source, expected) in [
            ("#if A\nint a;\n#else\nint b;\n#endif\n", "int a; int b;"),
            (
                "#if A\nint f(int a)\n#else\nint f(void)\n#endif\n{ }\n",
                "int f(int a) { }",
            ),
            (
                "#if A\nint g() { }\nint f(int a) {\n#else\nint h() { }\nint f() {\n#endif\n}\n",
                "int g() { } int h() { } int f() { }",
            ),
            ("int x = \n#if A\n1\n#else\n2\n#endif\n;\n", "int x = 1 ;"),
            ("#if 0\ndon't\n#else\nint a;\n#endif\n", "int a;"),
            (
                "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint a;\n#ifdef __cplusplus\n}\n#endif\n",
                "int a;",
            ),
            ("enum e {\n#if A\nB,\n#else\nC,\n#endif\nD };\n", "enum e { B, C, D };"),
        ] {
            assert_eq!(squeezed(Dialect::C, source), expected, "{source}");
        }
    }

    #[test]
    fn one_type_and_one_name_are_left_of_a_head() {
        for (source, expected) in [
            ("EXPORT int f(void);", "/* */ int f(void);"),
            ("BOOL WINAPI f(int a UNUSED) { }", "BOOL /* */ f(int a /* */) { }"),
            ("int f OF((int a));", "int f (int a) ;"),
            ("typedef BOOL (WINAPI *f)(int);", "typedef BOOL (/* */ *f)(int);"),
            (
                "struct PACKED s { int a; } __packed;",
                "struct /* */ s { int a; } /* */;",
            ),
            ("TEST(A, B) { }", "a b( ) { }"),
            ("LIST_HEAD(x);", "/* */;"),
            ("TYPE_OF(a) b;", "TYPE_OF b;"),
        ] {
            assert_eq!(squeezed(Dialect::C, source), expected, "{source}");
        }
    }

    #[test]
    fn classes_lose_what_frameworks_put_in_them() {
        let source =
            "class API_X A final : public B {\n  Q_OBJECT\n public slots:\n  void f();\n signals:\n  void g();\n};";
        let expected = "class /* */ A final : public B { /* */ public /* */: void f(); public: void g(); };";
        assert_eq!(squeezed(Dialect::Cpp, source), expected);
    }

    #[test]
    fn texts_that_make_no_sense_are_survived() {
        let odd = [
            "",
            "#",
            "#if",
            "#else",
            "#endif\n#endif",
            "(",
            ")",
            "}{",
            "@",
            "@interface",
            "@property (",
            "TEST(",
            "template <",
            "operator",
            "a::",
            "::~",
            "enum {",
            "class A : ",
            "\"",
            "'",
            "R\"(",
            "/*",
            "case ...",
            "int f(",
            "A(B) C(D) E",
            "- (",
            "new",
            "typedef NS_ENUM() {}",
            "#define",
            "#include",
            "x = {",
            "if (",
            "\\",
        ];
        for dialect in [Dialect::C, Dialect::Cpp, Dialect::ObjectiveC] {
            for one in odd {
                for other in odd {
                    read(dialect, &format!("{one}\n{other} x {one}"));
                }
            }
        }
    }
}
