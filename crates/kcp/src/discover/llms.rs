//! The header of an `llms.txt`: lines `> knowledge: WHERE` before the first section (clause D2, ruling A34).

use super::Pointer;

/// Lines that are taken from one file.
const MOST: usize = 20;

/// Where the lines point, with the number of each; the first one is the one that counts.
pub fn pointers(text: &str) -> Vec<(u32, Pointer)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let header = (1u32..)
        .zip(text.lines())
        .take_while(|(_, line)| !line.starts_with("## "));
    let named = header.filter_map(|(number, line)| {
        let value = line.strip_prefix('>')?.trim_start().strip_prefix("knowledge:")?;
        Some((number, Pointer::parse(value.trim())))
    });
    named.take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d2_lines_of_the_header_name_manifests() {
        let text = "# Shop\n\n> Sells things.\n> knowledge: /docs/knowledge.yaml\n\n## Docs\n> knowledge: /late.yaml\n";
        assert_eq!(pointers(text), [(4, Pointer::Path("docs/knowledge.yaml".to_owned()))]);
        assert_eq!(pointers("## Docs\n> knowledge: /late.yaml\n"), []);
        assert_eq!(
            pointers("knowledge: /a.yaml\n### x\n>knowledge:/b.yaml\n"),
            [(3, Pointer::Path("b.yaml".to_owned()))]
        );
    }

    #[test]
    fn a34_all_lines_are_read_and_the_first_is_the_primary_one() {
        let text = "> knowledge: /a.yaml\n> knowledge: https://docs.example/k.yaml\n> knowledge: b.yaml\n> knowledge: /../c.yaml\n> knowledge:\n> knowledge: http://x.example/\n";
        let found = pointers(text);
        assert_eq!(found[0], (1, Pointer::Path("a.yaml".to_owned())));
        assert_eq!(found[1], (2, Pointer::Url("https://docs.example/k.yaml".to_owned())));
        for (number, pointer) in &found[2..] {
            assert!(matches!(pointer, Pointer::Bad(_)), "{number}: {pointer:?}");
        }
        assert_eq!(found.len(), 6);
    }
}
