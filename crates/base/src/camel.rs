//! Names of specifications as names of RDF properties.

/// A name of several words in camel case: with the separator `_`, `depends_on` is `dependsOn`.
pub fn camel(name: &str, separator: char) -> String {
    let mut words = name.split(separator);
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().into_iter().flat_map(char::to_uppercase).chain(letters));
    }
    camel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_after_the_first_begin_with_a_capital() {
        for (name, separator, expected) in [
            ("depends_on", '_', "dependsOn"),
            ("waits-for-it", '-', "waitsForIt"),
            ("depends_on", '-', "depends_on"),
            ("a--b-", '-', "aB"),
            ("", '-', ""),
        ] {
            assert_eq!(camel(name, separator), expected);
        }
    }
}
