//! Decides which bodies need context sensitivity: those whose results or calls depend on their arguments.

use lore_model::{ArgumentKind, BodyFlags, FlowArgument, FlowCode, NONE};

use super::builder::Body;

/// Most slots of a thin wrapper: a body that does little more than call another function.
const MAX_THIN: u32 = 24;

/// The slots that values of parameters can reach (taint analysis); with `through_calls`, also as results of calls.
fn tainted_slots(body: &Body<'_>, arguments: &[FlowArgument], through_calls: bool) -> Vec<bool> {
    let mut tainted = vec![false; body.slots as usize];
    for parameter in &body.parameters {
        tainted[parameter.slot.get() as usize] = true;
    }
    let is = |tainted: &[bool], slot: u32| tainted.get(slot as usize).copied().unwrap_or(false);
    // SSA versions mostly flow forward. A few rounds reach the rest.
    for _ in 0..4 {
        let mut changed = false;
        for step in &body.steps {
            let (from, to) = match step.code {
                FlowCode::COPY | FlowCode::ITERATE | FlowCode::AWAIT | FlowCode::LOAD_KEY => {
                    (step.a.get(), step.to.get())
                }
                // An object that holds a parameter's value passes it on.
                FlowCode::STORE | FlowCode::STORE_KEY => (step.c.get(), step.a.get()),
                FlowCode::CALL if through_calls => {
                    let passed = (step.b.get()..step.b.get() + step.c.get())
                        .filter_map(|at| arguments.get(at as usize))
                        .filter(|argument| argument.kind != ArgumentKind::RESULT)
                        .find(|argument| is(&tainted, argument.slot.get()));
                    match passed {
                        Some(argument) => (argument.slot.get(), step.to.get()),
                        None => continue,
                    }
                }
                _ => continue,
            };
            let keyed = step.code == FlowCode::LOAD_KEY && is(&tainted, step.receiver.get());
            if (is(&tainted, from) || keyed) && !is(&tainted, to) && (to as usize) < tainted.len() {
                tainted[to as usize] = true;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    tainted
}

/// The flags for context sensitivity: whether a parameter can reach a result, a captured variable or a stored element,
/// or is called.
pub(super) fn passing_flags(body: &Body<'_>, arguments: &[FlowArgument]) -> u32 {
    if body.flags & (BodyFlags::MODULE | BodyFlags::CLASS) != 0 || body.parameters.is_empty() {
        return 0;
    }
    let is = |tainted: &[bool], slot: u32| tainted.get(slot as usize).copied().unwrap_or(false);
    let tainted = tainted_slots(body, arguments, false);
    let cells = || {
        body.variables
            .iter()
            .any(|variable| variable.cell != NONE && is(&tainted, variable.cell))
    };
    let called = || {
        body.steps
            .iter()
            .any(|step| step.code == FlowCode::CALL && is(&tainted, step.a.get()))
    };
    // Which value is stored under which key is known only per call.
    let keyed = || {
        body.steps.iter().any(|step| {
            step.code == FlowCode::STORE_KEY && is(&tainted, step.receiver.get()) && is(&tainted, step.c.get())
        })
    };
    if (body.result..body.result + body.results).any(|result| is(&tainted, result)) {
        return BodyFlags::PASS_THROUGH | BodyFlags::GIVES_BACK;
    }
    let passes = (body.yielded != NONE && is(&tainted, body.yielded)) || cells() || called() || keyed();
    if passes {
        return BodyFlags::PASS_THROUGH;
    }
    let is_thin = body.slots <= MAX_THIN && is(&tainted_slots(body, arguments, true), body.result);
    if is_thin { BodyFlags::THIN } else { 0 }
}
