//! Regions and the countries in them (ruling A17).

/// Members of the European Union.
const EU: [&str; 27] = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV",
    "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
];
/// Members of the European Economic Area besides.
const EEA: [&str; 3] = ["IS", "LI", "NO"];

/// Whether a region is inside a permitted one, ignoring case. A region that is only partly permitted is not inside.
pub fn is_within(region: &str, permitted: &[&str]) -> bool {
    let region = code(region);
    let wider: &[&str] = match region.as_str() {
        country if EU.contains(&country) => &["EU", "EEA", "GLOBAL"],
        country if EEA.contains(&country) => &["EEA", "GLOBAL"],
        "EU" => &["EEA", "GLOBAL"],
        _ => &["GLOBAL"],
    };
    permitted.iter().any(|permitted| {
        let permitted = code(permitted);
        permitted == region || wider.contains(&permitted.as_str())
    })
}

/// A region as it is compared.
fn code(region: &str) -> String {
    match region.trim().to_ascii_uppercase().as_str() {
        "UK" => "GB".to_owned(),
        code => code.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a17_a_region_lies_in_the_regions_that_hold_it() {
        for (region, permitted, wanted) in [
            ("DE", "EU", true),
            ("de", "eu", true),
            ("NO", "EU", false),
            ("NO", "EEA", true),
            ("DE", "EEA", true),
            ("EU", "EEA", true),
            ("EU", "DE", false),
            ("EEA", "EU", false),
            ("CH", "EEA", false),
            ("UK", "GB", true),
            ("GB", "UK", true),
            ("GB", "EEA", false),
            ("US", "global", true),
            ("Atlantis", "global", true),
            ("Atlantis", "EU", false),
            ("Atlantis", "atlantis", true),
            ("EL", "EU", false),
            ("global", "EU", false),
            ("US", "EU US", true),
        ] {
            let permitted: Vec<&str> = permitted.split(' ').collect();
            assert_eq!(is_within(region, &permitted), wanted, "{region} in {permitted:?}");
        }
        assert!(!is_within("US", &[]));
    }
}
