//! How answers show what is remarkable and does not keep anything from being done.

use lore_seam::Page;

/// Warnings that are shown one by one.
const SHOWN: usize = 50;

/// Shows warnings, each on a line of its own.
pub fn render_warnings(page: &mut Page, warnings: &[String]) {
    for warning in warnings.iter().take(SHOWN) {
        page.write(format_args!("warning: "));
        page.text(warning);
        page.line(format_args!(""));
    }
    if warnings.len() > SHOWN {
        let more = warnings.len() - SHOWN;
        page.line(format_args!("{more} more warnings; --json lists all"));
    }
}
