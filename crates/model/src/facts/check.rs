//! Whether a record of facts refers only to what it holds: texts lie within its text, parents lead to the top, and ids and runs
//! are within their tables.
//!
//! A record that fails is read as damaged and its file is extracted again. Operands of instructions are not checked here: the
//! solver looks each of them up.

use crate::nesting::depths;
use crate::{Definition, FactsView, FlowBody, NONE, SectionError, Text, TextRange, U32};

use super::{
    DEFINITIONS, DIAGNOSTICS, EXPORTS, FLOW_BODIES, FLOW_CLASSES, FLOW_EXPORTS, FLOW_NAMES, FLOW_VARIABLES, HEAD,
};
use super::{IMPORTS, LISTS, USES};

/// Slots that every record may have, and how many more for each byte of its file and each row of flow.
const FREE_SLOTS: u64 = 1_024;
const SLOTS_PER_BYTE: u64 = 64;

type Checked = Result<(), SectionError>;

fn holds(condition: bool, section: u32) -> Checked {
    if condition {
        Ok(())
    } else {
        Err(SectionError::BadSection(section))
    }
}

impl FactsView<'_> {
    /// Whether a file of so many bytes can have as many slots as the record claims: the solver allocates each of them.
    pub fn slots_fit(&self, file_bytes: u64) -> bool {
        let flow = &self.flow;
        let rows = flow.steps.len() + flow.parameters.len() + flow.arguments.len() + flow.captures.len();
        let slots: u64 = flow.bodies.iter().map(|body| u64::from(body.slots.get())).sum();
        let most = file_bytes.saturating_add(rows as u64).saturating_mul(SLOTS_PER_BYTE);
        slots <= most.saturating_add(FREE_SLOTS)
    }

    /// Checks the record.
    pub(super) fn check(&self) -> Checked {
        let is_text = |text: &Text| text.start.get() as usize + text.len.get() as usize <= self.text.len();
        let definitions = self.definitions.len();
        let is_scope = |scope: U32| scope.get() == NONE || (scope.get() as usize) < definitions;
        let lines = self.lines;
        let all_lines = lines.code.get().checked_add(lines.comment.get());
        let fits = all_lines.is_some_and(|sum| sum.checked_add(lines.blank.get()).is_some());
        holds(fits && is_text(&self.package) && is_text(&self.module_doc), HEAD)?;
        holds(self.lists.iter().all(is_text), LISTS)?;
        let is_definition = |row: &Definition| {
            is_text(&row.name)
                && is_text(&row.owner)
                && is_text(&row.signature)
                && is_text(&row.doc)
                && is_scope(row.parent)
                && is_within(row.decorators, self.lists.len())
        };
        holds(self.definitions.iter().all(is_definition) && self.nests(), DEFINITIONS)?;
        holds(
            self.imports.iter().all(|row| {
                is_text(&row.module)
                    && is_text(&row.name)
                    && is_text(&row.local)
                    && is_text(&row.handed_on)
                    && is_scope(row.scope)
            }),
            IMPORTS,
        )?;
        holds(
            self.exports.iter().all(|row| is_text(&row.local) && is_text(&row.name)),
            EXPORTS,
        )?;
        holds(
            self.uses.iter().all(|row| is_text(&row.path) && is_scope(row.scope)),
            USES,
        )?;
        holds(self.diagnostics.iter().all(|row| is_text(&row.message)), DIAGNOSTICS)?;
        holds(self.flow.names.iter().all(is_text), FLOW_NAMES)?;
        self.check_flow(definitions)
    }

    /// Whether every chain of parents ends.
    fn nests(&self) -> bool {
        let precedes = |(at, row): (usize, &Definition)| row.parent.get() == NONE || (row.parent.get() as usize) < at;
        if self.definitions.iter().enumerate().all(precedes) {
            return true;
        }
        let parents: Vec<U32> = self.definitions.iter().map(|row| row.parent).collect();
        !depths(&parents).contains(&NONE)
    }

    fn check_flow(&self, definitions: usize) -> Checked {
        let flow = &self.flow;
        let bodies = flow.bodies.len();
        let is_or_none = |id: U32, rows: usize| id.get() == NONE || (id.get() as usize) < rows;
        let is_body = |(at, body): (usize, &FlowBody)| {
            let slots = body.slots.get() as usize;
            let results = body.result.get() as usize + body.results.get() as usize;
            is_or_none(body.definition, definitions)
                && (body.parent.get() == NONE || (body.parent.get() as usize) < at)
                && is_within(body.seeds, flow.steps.len())
                && is_within(body.steps, flow.steps.len())
                && is_within(body.parameters, flow.parameters.len())
                && is_within(body.captures, flow.captures.len())
                && (body.result.get() == NONE || results <= slots.max(1))
                && is_or_none(body.yielded, slots)
                && is_or_none(body.receiver, slots)
                && is_or_none(body.thrown, slots)
                && is_or_none(body.declared, flow.names.len())
        };
        holds(flow.bodies.iter().enumerate().all(is_body), FLOW_BODIES)?;
        let is_class = flow.classes.iter().all(|row| {
            is_or_none(row.definition, definitions)
                && is_or_none(row.body, bodies)
                && is_or_none(row.key, flow.names.len())
        });
        holds(is_class, FLOW_CLASSES)?;
        let is_export = flow.exports.iter().all(|row| {
            is_or_none(row.definition, definitions)
                && is_or_none(row.name, flow.names.len())
                && is_or_none(row.space, flow.names.len())
        });
        holds(is_export, FLOW_EXPORTS)?;
        let is_variable = flow
            .variables
            .iter()
            .all(|row| (row.definition.get() as usize) < definitions && (row.name.get() as usize) < flow.names.len());
        let in_order = flow.variables.is_sorted_by_key(|row| row.definition.get());
        holds(is_variable && in_order, FLOW_VARIABLES)
    }
}

fn is_within(range: TextRange, rows: usize) -> bool {
    range.start.get() as usize + range.len.get() as usize <= rows
}
