//! Cyclomatic complexity, beside lizard's.

use std::collections::{BTreeMap, HashMap};

use super::{Seen, plain, share};
use crate::Outcome;
use crate::process::{capture, need};

/// Examples shown of each difference.
const SHOWN: usize = 5;

/// A function as lizard tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Measured {
    complexity: u64,
    path: String,
    name: String,
    line: u64,
}

pub(super) fn compare(seen: &Seen) -> Outcome<()> {
    let Some(language) = &seen.sheet.lizard else {
        return Ok(());
    };
    if capture(need("python3")?.args(["-m", "lizard", "--version"])).is_err() {
        return Err("lizard is not installed".to_owned());
    }
    let mut ours: HashMap<(&str, u64, &str), u64> = HashMap::new();
    for symbol in &seen.symbols {
        if let Some(complexity) = symbol.complexity {
            for line in [symbol.line, symbol.start_line] {
                ours.entry((&symbol.path, line, &symbol.name)).or_insert(complexity);
            }
        }
    }
    report(&ours, &measure(seen, language)?);
    Ok(())
}

/// What lizard says about the files.
fn measure(seen: &Seen, language: &str) -> Outcome<Vec<Measured>> {
    let mut lizard = need("python3")?;
    lizard
        .args(["-m", "lizard", "--csv", "-l", language, "-f"])
        .arg(seen.list()?)
        .current_dir(seen.tree());
    Ok(capture(&mut lizard)?
        .lines()
        .filter_map(|line| measured(&fields(line)))
        .collect())
}

fn report(ours: &HashMap<(&str, u64, &str), u64>, theirs: &[Measured]) {
    let (mut matched, mut differences) = (0, BTreeMap::<i64, Vec<(&Measured, u64)>>::new());
    for function in theirs {
        let Some(complexity) = ours.get(&(&*function.path, function.line, &*function.name)) else {
            continue;
        };
        matched += 1;
        if *complexity != function.complexity {
            let difference = *complexity as i64 - function.complexity as i64;
            differences.entry(difference).or_default().push((function, *complexity));
        }
    }
    let differing: usize = differences.values().map(Vec::len).sum();
    println!(
        "complexity: {} functions are equal to lizard's; {} of lizard's were matched",
        share(matched - differing, matched),
        share(matched, theirs.len())
    );
    for (difference, functions) in &differences {
        println!("  {difference:+}: {} functions", functions.len());
        for (function, complexity) in functions.iter().take(SHOWN) {
            let Measured {
                path,
                line,
                name,
                complexity: theirs,
            } = function;
            println!("    {path}:{line} {name}: {complexity}, lizard {theirs}");
        }
    }
}

/// A row of lizard's report, if it is about a function with a name.
fn measured(fields: &[String]) -> Option<Measured> {
    let [_, complexity, _, _, _, _, path, name, _, line, _] = fields else {
        return None;
    };
    let name = name.rsplit([':', '.']).next()?;
    if name.is_empty() || name == "(anonymous)" || name.starts_with("anonymous__") {
        return None;
    }
    Some(Measured {
        complexity: complexity.parse().ok()?,
        path: plain(path).to_owned(),
        name: name.to_owned(),
        line: line.parse().ok()?,
    })
}

/// The fields of a line of comma-separated values.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let field = fields.last_mut().expect("because there is always a field");
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => field.extend(letters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => field.push(letter),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_at_commas_outside_quotes() {
        assert_eq!(fields(r#"1,"a, ""b""",c"#), ["1", r#"a, "b""#, "c"]);
    }

    #[test]
    fn a_row_names_the_last_part() {
        let row = r#"2,3,17,2,2,"A::f@2-3@./b.java","./b.java","A::f","A::f( x , y )",2,3"#;
        let expected = Measured {
            complexity: 3,
            path: "b.java".to_owned(),
            name: "f".to_owned(),
            line: 2,
        };
        assert_eq!(measured(&fields(row)), Some(expected));
        assert_eq!(
            measured(&fields(r#"2,3,17,2,2,"x","./b.js","(anonymous)","(anonymous)",2,3"#)),
            None
        );
    }
}
