//! Names that denote definitions instead of variables, in languages that keep them apart.

use lore_model::NONE;

use super::builder::{Binding, FlowBuilder, Named, Slot};

impl<'t> FlowBuilder<'t, '_> {
    /// The slot of a name in the innermost block that denotes definitions. Several definitions can share the slot.
    pub(crate) fn place(&mut self, name: &'t str, named: Named) -> Slot {
        if !self.declares(name) {
            self.declare(name);
            let slot = self.slot();
            self.write(name, slot);
            let open = self.bodies.len() - 1;
            if let Some(Binding::Own(variable)) = self.binding(open, name) {
                self.body().variables[variable].named = named;
            }
        }
        self.read(name)
    }

    /// Sets the kind of a name of this body.
    pub(crate) fn mark(&mut self, name: &str, named: Named) {
        let open = self.bodies.len() - 1;
        if let Some(Binding::Own(variable)) = self.binding(open, name) {
            self.body().variables[variable].named = named;
        }
    }

    /// Whether a name has a kind, in this body or an enclosing one.
    pub(crate) fn is_marked(&self, name: &str, named: Named) -> bool {
        let open = self.bodies.len() - 1;
        let found = match self.binding(open, name) {
            Some(Binding::Own(variable)) => Some((open, variable)),
            _ => self.outer_variable(name),
        };
        found.is_some_and(|(body, variable)| self.bodies[body].variables[variable].named == named)
    }

    /// The slot and kind of a name that denotes a definition or type parameter, not a variable.
    pub(crate) fn item(&mut self, name: &str) -> Option<(Slot, Named)> {
        let open = self.bodies.len() - 1;
        let found = (0..=open).rev().find_map(|body| {
            self.bodies[body]
                .blocks
                .iter()
                .rev()
                .find_map(|block| match block.get(name) {
                    Some(Binding::Own(variable)) => {
                        let named = self.bodies[body].variables[*variable].named;
                        matches!(named, Named::Item | Named::TypeParameter).then_some((body, *variable, named))
                    }
                    _ => None,
                })
        });
        let (body, variable, named) = found?;
        match self.bodies[body].versions[variable] {
            version if body == open && version != NONE => Some((version, named)),
            _ if body == open => Some((self.cell(body, variable), named)),
            _ => Some((self.capture(body, variable), named)),
        }
    }

    /// An instance of a built-in class that the whole body shares. `key` is a name that no source can contain.
    pub(crate) fn built_in_value(&mut self, class: &'static str, key: &'static str) -> Slot {
        if let Some(slot) = self.body().globals.get(key) {
            return *slot;
        }
        let class = self.global(class);
        let slot = self.slot();
        self.instance_of(slot, class);
        self.body().globals.insert(key, slot);
        slot
    }
}
