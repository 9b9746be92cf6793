//! What every store has to keep, as cases that each runs: the one of the tests, the one in SQL, and any other that comes.
//!
//! [`CASES`] each take an empty store. [`walk`] does the same at random to two stores and compares everything that they say.

use std::fmt::Debug;

use super::check::refused;
use super::envelope::code_of;
use super::id::Id;
use super::model::{
    Atom, Blocker, Confirmed, Container, ContentFormat, Entity, EntityType, Entry, Feature, LinkType, Molecule, Parent,
    ParentType, Pipelines, Priority, Project, Record, RelatedAtom, RelatedMolecule, RepositoryKey, Section, Status,
    TagCount, Task, Template, TemplateSection,
};
use super::store::{
    ContainerFilter, ContainerOrder, Got, GraphSearch, Link, Memory, NextFilter, Page, Picked, Reading, TagFilter,
    TemplateFilter, Writing,
};
use super::testing::numbered;
use lore_seam::OpError;

/// How a case ends: what is not as it should be.
pub type Kept = Result<(), String>;

/// A case on an empty store.
pub type Case = fn(&dyn Memory) -> Kept;

/// Runs the case that holds something on an empty store.
pub fn run_case(store: &dyn Memory, what: &str) -> Kept {
    match CASES.iter().find(|(name, _)| *name == what) {
        Some((_, case)) => case(store),
        None => Err(format!("there is no case `{what}`")),
    }
}

/// All cases, by what they hold.
pub const CASES: &[(&str, Case)] = &[
    ("objects come back as they were written", objects_come_back),
    ("a version guards what is written", versions_guard),
    ("a unit that fails leaves nothing", failing_units_leave_nothing),
    ("what is not there is not referred to", references_hold),
    ("what is taken away takes along what is its own", removal_is_whole),
    (
        "the order is the one in which things were made",
        order_is_that_of_making,
    ),
    ("a name and a place are given once", names_and_places_are_given_once),
    ("a repository belongs to one project", repositories_belong_to_one),
    ("what could be begun", next_tasks_are_those_that_could_be_begun),
    ("words are looked for in name and knowledge", words_are_looked_for),
    ("pipelines are fixed and freed", pipelines_are_fixed),
];

const TIME: &str = "2026-11-16T08:00:00.000Z";

/// A project to begin with.
pub fn project(number: u64, name: &str) -> Project {
    Project {
        id: numbered(number),
        name: name.to_owned(),
        summary: format!("what {name} is"),
        description: None,
        version: 1,
        tags: Vec::new(),
        created_at: TIME.to_owned(),
        modified_at: TIME.to_owned(),
    }
}

/// A feature to begin with.
pub fn feature(number: u64, of: Option<Id>) -> Feature {
    Feature {
        id: numbered(number),
        project_id: of,
        name: format!("feature {number}"),
        summary: String::new(),
        description: None,
        status: Status::New,
        priority: Priority::Medium,
        blocked_by: Vec::new(),
        blocked_reason: None,
        related_to: Vec::new(),
        version: 1,
        tags: Vec::new(),
        created_at: TIME.to_owned(),
        modified_at: TIME.to_owned(),
    }
}

/// A task to begin with.
pub fn task(number: u64, of: Option<Id>, feature: Option<Id>) -> Task {
    Task {
        id: numbered(number),
        project_id: of,
        feature_id: feature,
        title: format!("task {number}"),
        summary: String::new(),
        description: None,
        status: Status::New,
        priority: Priority::Medium,
        complexity: 5,
        blocked_by: Vec::new(),
        blocked_reason: None,
        related_to: Vec::new(),
        last_modified_by: None,
        version: 1,
        tags: Vec::new(),
        created_at: TIME.to_owned(),
        modified_at: TIME.to_owned(),
    }
}

/// A section to begin with.
pub fn section(number: u64, of: Entity, ordinal: i64) -> Section {
    Section {
        id: numbered(number),
        of,
        title: format!("section {number}"),
        usage_description: "to be read".to_owned(),
        content: "text".to_owned(),
        content_format: ContentFormat::Markdown,
        ordinal,
        tags: Vec::new(),
        version: 1,
        created_at: TIME.to_owned(),
        modified_at: TIME.to_owned(),
    }
}

/// A template to begin with.
pub fn template(number: u64, name: &str) -> Template {
    Template {
        id: numbered(number),
        name: name.to_owned(),
        description: "for tasks".to_owned(),
        target_entity_type: EntityType::Task,
        is_built_in: false,
        is_protected: false,
        is_enabled: true,
        created_by: None,
        tags: Vec::new(),
        created_at: TIME.to_owned(),
        modified_at: TIME.to_owned(),
    }
}

/// A section of a template to begin with.
pub fn template_section(number: u64, template: Id, ordinal: i64) -> TemplateSection {
    TemplateSection {
        id: numbered(number),
        template_id: template,
        title: format!("part {number}"),
        usage_description: "to be filled".to_owned(),
        content_sample: "…".to_owned(),
        content_format: ContentFormat::PlainText,
        ordinal,
        is_required: true,
        tags: vec!["x".to_owned()],
    }
}

/// A molecule to begin with.
pub fn molecule(number: u64, of: Id, name: &str) -> Molecule {
    Molecule {
        id: numbered(number),
        project_id: of,
        name: name.to_owned(),
        knowledge: String::new(),
        related_molecules: Vec::new(),
        created_by_task_id: numbered(900),
        last_task_id: numbered(900),
        version: 1,
        created_at: TIME.to_owned(),
        updated_at: TIME.to_owned(),
    }
}

/// An atom to begin with.
pub fn atom(number: u64, of: Id, name: &str) -> Atom {
    Atom {
        id: numbered(number),
        project_id: of,
        molecule_id: None,
        name: name.to_owned(),
        paths: vec![format!("src/{number}/**")],
        knowledge: String::new(),
        related_atoms: Vec::new(),
        created_by_task_id: numbered(900),
        last_task_id: numbered(900),
        version: 1,
        created_at: TIME.to_owned(),
        updated_at: TIME.to_owned(),
        confirmed: None,
    }
}

/// An entry to begin with.
pub fn entry(number: u64, of: Parent, summary: &str) -> Entry {
    Entry {
        id: numbered(number),
        parent_type: of.kind,
        parent_id: of.id,
        task_id: numbered(900),
        summary: summary.to_owned(),
        created_at: TIME.to_owned(),
    }
}

fn same<T: PartialEq + Debug>(what: &str, got: T, wanted: T) -> Kept {
    if got == wanted {
        Ok(())
    } else {
        Err(format!("{what}:\n  got    {got:?}\n  wanted {wanted:?}"))
    }
}

fn told(error: &OpError) -> String {
    format!("{}: {}", code_of(error), error.message)
}

fn write(store: &dyn Memory, mut work: impl FnMut(&mut dyn Writing) -> Got<()>) -> Kept {
    store.write(&mut work).map_err(|error| told(&error))
}

fn read(store: &dyn Memory, mut work: impl FnMut(&dyn Reading) -> Result<(), String>) -> Kept {
    let mut found = Ok(());
    let outcome = store.read(&mut |unit| {
        found = work(unit);
        Ok(())
    });
    outcome.map_err(|error| told(&error))?;
    found
}

/// What a write is refused with.
fn refusal(store: &dyn Memory, mut work: impl FnMut(&mut dyn Writing) -> Got<()>) -> String {
    match store.write(&mut work) {
        Ok(()) => "not refused".to_owned(),
        Err(error) => code_of(&error).to_owned(),
    }
}

fn ok<T>(got: Got<T>) -> Result<T, String> {
    got.map_err(|error| told(&error))
}

/// Everything, in the order of an export.
pub fn everything(store: &dyn Memory) -> Result<Vec<Record>, String> {
    let mut found = Vec::new();
    read(store, |unit| {
        found.clear();
        ok(unit.every(None, &mut |record| {
            found.push(record);
            Ok(())
        }))
    })?;
    Ok(found)
}

fn objects_come_back(store: &dyn Memory) -> Kept {
    let mut shop = project(1, "Shop");
    shop.description = Some("sells\n\"things\" — 'é'".to_owned());
    shop.tags = vec!["b".to_owned(), "a".to_owned()];
    let mut cart = feature(2, Some(shop.id));
    cart.blocked_by = vec![Blocker::NoOp, Blocker::Entity(numbered(3))];
    cart.blocked_reason = Some("waiting".to_owned());
    cart.status = Status::Other("IN_LIMBO".to_owned());
    let mut buy = task(3, Some(shop.id), Some(cart.id));
    buy.related_to = vec![cart.id];
    buy.last_modified_by = Some("somebody".to_owned());
    buy.tags = vec!["ß".to_owned()];
    let mut notes = section(4, Entity::task(buy.id), -7);
    notes.tags = vec!["one".to_owned(), "two, three".to_owned()];
    let form = template(5, "Form");
    let part = template_section(6, form.id, 0);
    let mut domain = molecule(7, shop.id, "Domain");
    domain.related_molecules = vec![RelatedMolecule {
        molecule_id: numbered(99),
        reason: "gone".to_owned(),
    }];
    let mut handler = atom(8, shop.id, "Handler");
    handler.molecule_id = Some(domain.id);
    handler.paths = vec!["src/**".to_owned(), "a\\*b".to_owned()];
    handler.knowledge = "k".repeat(40_000);
    handler.related_atoms = vec![RelatedAtom {
        atom_id: numbered(98),
        reason: String::new(),
    }];
    handler.confirmed = Some(Confirmed {
        commit: "c0ffee".to_owned(),
        at: TIME.to_owned(),
        dirty: [("src/a.rs".to_owned(), "blob".to_owned())].into(),
    });
    let why = entry(9, Parent::atom(handler.id), "because");
    write(store, |unit| {
        unit.put_project(&shop, None)?;
        unit.put_feature(&cart, None)?;
        unit.put_task(&buy, None)?;
        unit.put_section(&notes, None)?;
        unit.put_template(&form)?;
        unit.put_template_section(&part)?;
        unit.put_molecule(&domain, None)?;
        unit.put_atom(&handler, None)?;
        unit.append(&why)
    })?;
    // Tags come back in the order of the alphabet.
    let mut shop = shop.clone();
    shop.tags.sort();
    let wanted = vec![
        Record::Project(shop.clone()),
        Record::Feature(cart.clone()),
        Record::Task(buy.clone()),
        Record::Section(notes.clone()),
        Record::Template(form.clone()),
        Record::TemplateSection(part.clone()),
        Record::Molecule(domain.clone()),
        Record::Atom(handler.clone()),
        Record::Changelog(why.clone()),
    ];
    same("every", everything(store)?, wanted)?;
    read(store, |unit| {
        same("project", ok(unit.project(shop.id))?, Some(shop.clone()))?;
        same("feature", ok(unit.feature(cart.id))?, Some(cart.clone()))?;
        same("task", ok(unit.task(buy.id))?, Some(buy.clone()))?;
        same("no task", ok(unit.task(cart.id))?, None)?;
        same("section", ok(unit.section(notes.id))?, Some(notes.clone()))?;
        same("template", ok(unit.template_named("Form"))?, Some(form.clone()))?;
        same(
            "atoms",
            ok(unit.atoms(&[numbered(50), handler.id]))?,
            vec![handler.clone()],
        )?;
        same("molecules", ok(unit.molecules(&[domain.id]))?, vec![domain.clone()])?;
        same("members", ok(unit.members(domain.id))?, vec![handler.clone()])?;
        let names = [(domain.id, "Domain".to_owned()), (handler.id, "Handler".to_owned())];
        same(
            "names",
            ok(unit.names(&[handler.id, numbered(50), domain.id]))?,
            names.into(),
        )?;
        same("tagged", ok(unit.tagged("ß"))?, vec![Entity::task(buy.id)])?;
        let tags = ["a", "b", "ß"].map(|tag| TagCount {
            tag: tag.to_owned(),
            count: 1,
        });
        same("tags", ok(unit.tags(None))?, tags.to_vec())?;
        let links = vec![Link {
            kind: LinkType::Blocks,
            entity: Entity::feature(cart.id),
        }];
        same("dependents", ok(unit.dependents(buy.id))?, links)
    })
}

fn versions_guard(store: &dyn Memory) -> Kept {
    let shop = project(1, "Shop");
    let handler = atom(2, shop.id, "Handler");
    write(store, |unit| {
        unit.put_project(&shop, None)?;
        unit.put_atom(&handler, None)
    })?;
    let mut later = handler.clone();
    later.version = 2;
    later.name = "Later".to_owned();
    write(store, |unit| unit.put_atom(&later, Some(1)))?;
    same(
        "twice new",
        refusal(store, |unit| unit.put_atom(&later, None)),
        "CONFLICT".to_owned(),
    )?;
    let outcome = store.write(&mut |unit| unit.put_atom(&later, Some(1)));
    let data = outcome.err().and_then(|error| error.detail).map(|detail| detail.data);
    let wanted = serde_json::json!({ "currentVersion": 2, "expectedVersion": 1, "id": handler.id });
    same("an old version", data, Some(wanted))?;
    let nobody = atom(3, shop.id, "Nobody");
    same(
        "nobody",
        refusal(store, |unit| unit.put_atom(&nobody, Some(1))),
        "NOT_FOUND".to_owned(),
    )?;
    read(store, |unit| {
        same("atom", ok(unit.atom(handler.id))?, Some(later.clone()))
    })
}

fn failing_units_leave_nothing(store: &dyn Memory) -> Kept {
    let shop = project(1, "Shop");
    write(store, |unit| unit.put_project(&shop, None))?;
    let before = everything(store)?;
    let refusal = refusal(store, |unit| {
        let mut other = shop.clone();
        other.version = 2;
        other.name = "Other".to_owned();
        unit.put_project(&other, Some(1))?;
        unit.put_atom(&atom(2, shop.id, "Handler"), None)?;
        unit.append(&entry(3, Parent::atom(numbered(2)), "why"))?;
        // What was written is seen inside of the unit.
        if unit.atom(numbered(2))?.is_some() && unit.patterns(shop.id)?.patterns(numbered(2)).len() == 1 {
            Err(refused(crate::envelope::code::BLOCKED, "no"))
        } else {
            Err(refused(
                crate::envelope::code::HAS_CHILDREN,
                "what was written is not seen",
            ))
        }
    });
    same("refusal", refusal, "BLOCKED".to_owned())?;
    same("everything", everything(store)?, before)?;
    read(store, |unit| {
        same("patterns", ok(unit.patterns(shop.id))?.patterns(numbered(2)).len(), 0)?;
        let search = GraphSearch {
            words: vec!["handler".to_owned()],
            ..all_atoms(shop.id)
        };
        same("search", ok(unit.search(&search))?, Vec::new())
    })
}

/// What is tried.
type Work<'w> = &'w dyn Fn(&mut dyn Writing) -> Got<()>;

fn references_hold(store: &dyn Memory) -> Kept {
    let shop = project(1, "Shop");
    write(store, |unit| {
        unit.put_project(&shop, None)?;
        unit.put_feature(&feature(2, Some(shop.id)), None)?;
        unit.put_task(&task(3, None, Some(numbered(2))), None)?;
        unit.put_molecule(&molecule(4, shop.id, "Domain"), None)?;
        let mut handler = atom(5, shop.id, "Handler");
        handler.molecule_id = Some(numbered(4));
        unit.put_atom(&handler, None)
    })?;
    let gone = numbered(77);
    let broken: [(&str, Work<'_>, &str); 10] = [
        (
            "feature of nothing",
            &|unit| unit.put_feature(&feature(10, Some(gone)), None),
            "INVARIANT_VIOLATION",
        ),
        (
            "task of nothing",
            &|unit| unit.put_task(&task(10, Some(gone), None), None),
            "INVARIANT_VIOLATION",
        ),
        (
            "task of no feature",
            &|unit| unit.put_task(&task(10, None, Some(gone)), None),
            "INVARIANT_VIOLATION",
        ),
        (
            "molecule of nothing",
            &|unit| unit.put_molecule(&molecule(10, gone, "M"), None),
            "INVARIANT_VIOLATION",
        ),
        (
            "atom of nothing",
            &|unit| unit.put_atom(&atom(10, gone, "A"), None),
            "INVARIANT_VIOLATION",
        ),
        (
            "part of nothing",
            &|unit| unit.put_template_section(&template_section(10, gone, 0)),
            "INVARIANT_VIOLATION",
        ),
        (
            "project with children",
            &|unit| unit.remove_project(numbered(1)),
            "HAS_CHILDREN",
        ),
        (
            "feature with children",
            &|unit| unit.remove_feature(numbered(2)),
            "HAS_CHILDREN",
        ),
        (
            "molecule with members",
            &|unit| unit.remove_molecule(numbered(4)),
            "HAS_CHILDREN",
        ),
        ("nothing", &|unit| unit.remove_task(gone), "NOT_FOUND"),
    ];
    for (what, work, wanted) in broken {
        same(what, refusal(store, work), wanted.to_owned())?;
    }
    // Identifiers of tasks in the graph are plain text: no task of that number was ever made.
    read(store, |unit| same("task", ok(unit.task(numbered(900)))?, None))
}

fn removal_is_whole(store: &dyn Memory) -> Kept {
    let shop = project(1, "Shop");
    let mut cart = feature(2, Some(shop.id));
    cart.tags = vec!["t".to_owned()];
    cart.blocked_by = vec![Blocker::NoOp];
    cart.related_to = vec![numbered(3)];
    let buy = task(3, Some(shop.id), None);
    write(store, |unit| {
        unit.put_project(&shop, None)?;
        unit.put_feature(&cart, None)?;
        unit.put_task(&buy, None)?;
        unit.put_section(&section(4, Entity::feature(cart.id), 0), None)?;
        unit.put_section(&section(5, Entity::task(buy.id), 0), None)?;
        unit.put_template(&template(6, "Form"))?;
        unit.put_template_section(&template_section(7, numbered(6), 0))?;
        unit.put_molecule(&molecule(8, shop.id, "Domain"), None)?;
        unit.put_atom(&atom(9, shop.id, "Handler"), None)?;
        unit.append(&entry(10, Parent::atom(numbered(9)), "why"))?;
        unit.append(&entry(11, Parent::molecule(numbered(8)), "why"))
    })?;
    write(store, |unit| {
        unit.remove_feature(cart.id)?;
        unit.remove_template(numbered(6))?;
        unit.remove_atom(numbered(9))
    })?;
    let wanted = vec![
        Record::Project(shop.clone()),
        Record::Task(buy.clone()),
        Record::Section(section(5, Entity::task(buy.id), 0)),
        Record::Molecule(molecule(8, shop.id, "Domain")),
        Record::Changelog(entry(11, Parent::molecule(numbered(8)), "why")),
    ];
    same("what is left", everything(store)?, wanted)?;
    read(store, |unit| {
        same("tags", ok(unit.tags(None))?, Vec::new())?;
        same("dependents", ok(unit.dependents(buy.id))?, Vec::new())?;
        same("patterns", ok(unit.patterns(shop.id))?.patterns(numbered(9)).len(), 0)
    })?;
    let mut removed = None;
    write(store, |unit| {
        removed = Some(unit.remove_graph(shop.id)?);
        unit.remove_task(buy.id)?;
        unit.link_repository(
            shop.id,
            &RepositoryKey {
                root: Some("/shop".to_owned()),
                origin: None,
            },
        )?;
        unit.remove_project(shop.id)
    })?;
    let removed = removed.map(|removed| (removed.molecules, removed.atoms, removed.changelog));
    same("graph", removed, Some((1, 0, 1)))?;
    same("nothing is left", everything(store)?, Vec::new())?;
    let again = atom(9, numbered(1), "Again");
    write(store, |unit| {
        unit.put_project(&project(1, "Shop"), None)?;
        unit.put_atom(&again, None)
    })?;
    read(store, |unit| {
        same("patterns", ok(unit.patterns(numbered(1)))?.patterns(again.id).len(), 1)?;
        let recent = ok(unit.recent(&[Parent::atom(again.id)], 5))?;
        same("changelog", recent, [(Parent::atom(again.id), Vec::new())].into())
    })
}

fn order_is_that_of_making(store: &dyn Memory) -> Kept {
    let shop = project(1, "Shop");
    let handler = Parent::atom(numbered(2));
    // Later numbers are made first, and all at the same time.
    let numbers = [30, 20, 40, 10];
    write(store, |unit| {
        unit.put_project(&shop, None)?;
        unit.put_atom(&atom(2, shop.id, "Handler"), None)?;
        for number in numbers {
            unit.append(&entry(number, handler, "why"))?;
            unit.put_task(&task(number + 1, Some(shop.id), None), None)?;
        }
        Ok(())
    })?;
    read(store, |unit| {
        let page = |offset: u32, limit: u32| {
            let entries = ok(unit.changelog(handler, Page { offset, limit }))?;
            Ok::<_, String>(entries.into_iter().map(|entry| entry.id).collect::<Vec<_>>())
        };
        let newest: Vec<Id> = numbers.iter().rev().map(|number| numbered(*number)).collect();
        same("changelog", page(0, 10)?, newest.clone())?;
        same("a page of it", page(1, 2)?, newest[1..3].to_vec())?;
        let tasks = ok(unit.containers(&ContainerFilter::all(EntityType::Task)))?;
        let tasks: Vec<Id> = tasks.iter().map(|task| task.entity().id).collect();
        let wanted: Vec<Id> = numbers.iter().rev().map(|number| numbered(number + 1)).collect();
        same("tasks", tasks, wanted)
    })
}

fn names_and_places_are_given_once(store: &dyn Memory) -> Kept {
    let shop = project(1, "Shop");
    let of = Entity::project(shop.id);
    write(store, |unit| {
        unit.put_project(&shop, None)?;
        unit.put_section(&section(2, of, 0), None)?;
        unit.put_template(&template(3, "Form"))?;
        unit.put_template_section(&template_section(4, numbered(3), 0))
    })?;
    let taken = refusal(store, |unit| unit.put_section(&section(5, of, 0), None));
    same("ordinal", taken, "CONFLICT".to_owned())?;
    let taken = refusal(store, |unit| unit.put_template(&template(5, "Form")));
    same("name", taken, "DUPLICATE_NAME".to_owned())?;
    let taken = refusal(store, |unit| {
        unit.put_template_section(&template_section(5, numbered(3), 0))
    });
    same("place in a template", taken, "CONFLICT".to_owned())?;
    // The same ones may be written again, and templates are found by name.
    write(store, |unit| {
        let mut form = template(3, "Form");
        form.is_enabled = false;
        unit.put_template(&form)?;
        unit.put_template(&template(6, "Another"))?;
        unit.put_template_section(&template_section(4, numbered(3), 0))
    })?;
    read(store, |unit| {
        let names = |filter: TemplateFilter| {
            let found = ok(unit.templates(&filter))?;
            Ok::<_, String>(found.into_iter().map(|template| template.name).collect::<Vec<_>>())
        };
        same(
            "templates",
            names(TemplateFilter::default())?,
            vec!["Another".to_owned(), "Form".to_owned()],
        )?;
        let enabled = TemplateFilter {
            enabled: Some(true),
            target: Some(EntityType::Task),
            ..TemplateFilter::default()
        };
        same("enabled", names(enabled)?, vec!["Another".to_owned()])
    })
}

fn repositories_belong_to_one(store: &dyn Memory) -> Kept {
    let key = |root: Option<&str>, origin: Option<&str>| RepositoryKey {
        root: root.map(str::to_owned),
        origin: origin.map(str::to_owned),
    };
    write(store, |unit| {
        unit.put_project(&project(1, "Shop"), None)?;
        unit.put_project(&project(2, "Other"), None)?;
        unit.link_repository(numbered(1), &key(Some("/shop"), Some("h/shop")))?;
        unit.link_repository(numbered(2), &key(Some("/other"), None))
    })?;
    read(store, |unit| {
        let of = |root: Option<&str>, origin: Option<&str>| ok(unit.project_of(&key(root, origin)));
        same("by root", of(Some("/shop"), None)?, Some(numbered(1)))?;
        same("by origin", of(Some("/clone"), Some("h/shop"))?, Some(numbered(1)))?;
        same("root first", of(Some("/other"), Some("h/shop"))?, Some(numbered(2)))?;
        same("unknown", of(Some("/x"), Some("h/x"))?, None)?;
        same("nothing", of(None, None)?, None)
    })?;
    let taken = refusal(store, |unit| {
        unit.link_repository(numbered(2), &key(Some("/c"), Some("h/shop")))
    });
    same("another's origin", taken, "CONFLICT".to_owned())?;
    write(store, |unit| {
        unit.link_repository(numbered(1), &key(Some("/moved"), Some("h/shop")))
    })?;
    read(store, |unit| {
        let known = ok(unit.repositories(numbered(1)))?;
        same(
            "one link for one origin",
            known,
            vec![key(Some("/moved"), Some("h/shop"))],
        )
    })?;
    let mut taken = 0;
    write(store, |unit| {
        taken = unit.unlink_repositories(numbered(1))?;
        Ok(())
    })?;
    same("unlinked", taken, 1)
}

fn next_tasks_are_those_that_could_be_begun(store: &dyn Memory) -> Kept {
    let shop = project(1, "Shop");
    let with = |number: u64, change: &dyn Fn(&mut Task)| {
        let mut task = task(number, Some(shop.id), None);
        change(&mut task);
        task
    };
    let mut blocked = feature(2, Some(shop.id));
    blocked.blocked_by = vec![Blocker::NoOp];
    let mut closed = feature(3, Some(shop.id));
    closed.status = Status::Closed;
    let open = feature(4, Some(shop.id));
    let tasks = [
        with(10, &|task| task.priority = Priority::Low),
        with(11, &|task| task.complexity = 6),
        with(12, &|task| task.feature_id = Some(open.id)),
        with(13, &|task| task.blocked_by = vec![Blocker::NoOp]),
        with(14, &|task| task.status = Status::Active),
        with(15, &|task| task.feature_id = Some(blocked.id)),
        with(16, &|task| task.feature_id = Some(closed.id)),
        with(17, &|_| {}),
        with(18, &|task| task.priority = Priority::High),
    ];
    write(store, |unit| {
        unit.put_project(&shop, None)?;
        for feature in [&blocked, &closed, &open] {
            unit.put_feature(feature, None)?;
        }
        tasks.iter().try_for_each(|task| unit.put_task(task, None))
    })?;
    read(store, |unit| {
        let filter = NextFilter {
            terminal: vec![Status::Closed, Status::WillNotImplement],
            ..NextFilter::default()
        };
        let ids = |filter: &NextFilter, most: u32| {
            let found = ok(unit.next_tasks(filter, most))?;
            Ok::<_, String>(found.into_iter().map(|task| task.id).collect::<Vec<_>>())
        };
        same("next", ids(&filter, 10)?, [18, 12, 17, 11, 10].map(numbered).to_vec())?;
        same("the next one", ids(&filter, 1)?, vec![numbered(18)])?;
        let of_feature = NextFilter {
            feature: Some(open.id),
            ..filter.clone()
        };
        same("of a feature", ids(&of_feature, 10)?, vec![numbered(12)])?;
        let states = ok(unit.statuses(closed.id))?;
        same("states", states, vec![Status::New])?;
        let counts = ok(unit.task_counts(Entity::project(shop.id)))?;
        let by = [("ACTIVE".to_owned(), 1), ("NEW".to_owned(), 8)].into();
        same("counts", (counts.total, counts.by_status), (9, by))
    })
}

fn all_atoms(project: Id) -> GraphSearch {
    GraphSearch {
        kind: ParentType::Atom,
        project,
        words: Vec::new(),
        molecule: None,
        orphans_only: false,
        offset: 0,
        limit: 100,
    }
}

fn words_are_looked_for(store: &dyn Memory) -> Kept {
    let shop = project(1, "Shop");
    let with = |number: u64, name: &str, knowledge: &str| {
        let mut atom = atom(number, shop.id, name);
        atom.knowledge = knowledge.to_owned();
        atom
    };
    let mut grouped = with(13, "école", "webhook retries");
    grouped.molecule_id = Some(numbered(20));
    write(store, |unit| {
        unit.put_project(&shop, None)?;
        unit.put_project(&project(2, "Other"), None)?;
        unit.put_molecule(&molecule(20, shop.id, "Webhooks"), None)?;
        unit.put_atom(&with(10, "Webhook Handlers", "100% sure, a_b"), None)?;
        unit.put_atom(&with(11, "retry", "say \"when\" and c\\d"), None)?;
        unit.put_atom(&with(12, "Retry", ""), None)?;
        unit.put_atom(&grouped, None)?;
        unit.put_atom(&atom(14, numbered(2), "webhook elsewhere"), None)
    })?;
    let found = |words: &[&str]| {
        let mut ids = Vec::new();
        read(store, |unit| {
            let search = GraphSearch {
                words: words.iter().map(|word| (*word).to_owned()).collect(),
                ..all_atoms(shop.id)
            };
            ids = ok(unit.search(&search))?;
            Ok(())
        })?;
        Ok::<_, String>(ids)
    };
    for (words, wanted) in [
        (&[][..], &[12, 11, 10, 13][..]),
        (&["hook"], &[10, 13]),
        (&["hook", "retries"], &[13]),
        (&["retries", "école"], &[13]),
        (&["écol"], &[13]),
        // A word that is too short for an index is found all the same.
        (&["re"], &[12, 11, 10, 13]),
        (&["100%"], &[10]),
        (&["a_b"], &[10]),
        (&["axb"], &[]),
        (&["\"when\""], &[11]),
        (&["c\\d"], &[11]),
        (&["etr"], &[12, 11, 13]),
        (&["zz"], &[]),
    ] {
        let wanted: Vec<Id> = wanted.iter().map(|number| numbered(*number)).collect();
        same(&format!("{words:?}"), found(words)?, wanted)?;
    }
    // What was changed is found by its new words alone.
    let mut renamed = with(12, "Backoff", "exponential");
    renamed.version = 2;
    write(store, |unit| {
        unit.put_atom(&renamed, Some(1))?;
        unit.remove_atom(numbered(11))
    })?;
    same("old name", found(&["retry"])?, Vec::new())?;
    same("new name", found(&["backo", "expo"])?, vec![numbered(12)])?;
    read(store, |unit| {
        let of_molecule = GraphSearch {
            molecule: Some(numbered(20)),
            ..all_atoms(shop.id)
        };
        same("of a molecule", ok(unit.search(&of_molecule))?, vec![numbered(13)])?;
        let orphans = GraphSearch {
            orphans_only: true,
            offset: 1,
            limit: 1,
            ..all_atoms(shop.id)
        };
        same("orphans", ok(unit.search(&orphans))?, vec![numbered(10)])?;
        let molecules = GraphSearch {
            kind: ParentType::Molecule,
            words: vec!["hook".to_owned()],
            ..all_atoms(shop.id)
        };
        same("molecules", ok(unit.search(&molecules))?, vec![numbered(20)])
    })
}

fn pipelines_are_fixed(store: &dyn Memory) -> Kept {
    read(store, |unit| same("none", ok(unit.pipelines())?, None))?;
    let mut pipelines = Pipelines::default();
    write(store, |unit| unit.lock_pipelines(Some(&pipelines)))?;
    pipelines.task.insert(2, Status::ToBeTested);
    write(store, |unit| unit.lock_pipelines(Some(&pipelines)))?;
    read(store, |unit| {
        same("fixed", ok(unit.pipelines())?, Some(pipelines.clone()))
    })?;
    write(store, |unit| unit.lock_pipelines(None))?;
    read(store, |unit| same("freed", ok(unit.pipelines())?, None))
}

/// Numbers that look like chance and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides.max(1)
    }

    fn id(&mut self, of: u64) -> Id {
        numbered(of + self.roll(POOL))
    }

    fn maybe_id(&mut self, of: u64) -> Option<Id> {
        (self.roll(2) == 0).then(|| self.id(of))
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.roll(of.len() as u64) as usize].clone()
    }

    fn text(&mut self) -> String {
        let words = ["web", "hook", "É", "ß", "100%", "a_b", "c\\d", "\"q\"", "x", "webhook"];
        let count = self.roll(4);
        let words: Vec<&str> = (0..count).map(|_| self.pick(&words)).collect();
        words.join(if self.roll(2) == 0 { " " } else { "" })
    }

    fn tags(&mut self) -> Vec<String> {
        (0..self.roll(3))
            .map(|_| self.pick(&["a", "b", "c"]).to_owned())
            .collect()
    }

    /// Features or tasks, each once.
    fn work(&mut self) -> Vec<Id> {
        let mut ids: Vec<Id> = Vec::new();
        for _ in 0..self.roll(3) {
            let of = self.pick(&[FEATURE, TASK]);
            let id = self.id(of);
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        ids
    }

    fn time(&mut self) -> String {
        format!("2026-11-16T08:00:0{}.000Z", self.roll(3))
    }

    fn word(&mut self) -> String {
        let words = [
            "web", "hook", "é", "ss", "100%", "a_b", "\\", "\"", "x", "webhook", "ook x", "%",
        ];
        self.pick(&words).to_owned()
    }
}

/// Identifiers of each kind that a walk knows, and where they begin: no two things have the same.
const POOL: u64 = 6;
const PROJECT: u64 = 100;
const FEATURE: u64 = 200;
const TASK: u64 = 300;
const SECTION: u64 = 400;
const TEMPLATE: u64 = 500;
const PART: u64 = 600;
const MOLECULE: u64 = 700;
const ATOM: u64 = 800;
const ENTRY: u64 = 1_000;

/// Does the same things at random to two stores and compares what they say of it, and everything that they hold afterwards.
pub fn walk(one: &dyn Memory, other: &dyn Memory, seed: u64, steps: u32) -> Kept {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for step in 0..steps {
        let state = dice.0;
        let attempt = |store: &dyn Memory| {
            let outcome = store.write(&mut |unit| {
                let mut dice = Dice(state);
                (0..=dice.roll(3)).try_for_each(|_| act(unit, &mut dice))
            });
            outcome.err().map(|error| code_of(&error).to_owned())
        };
        same(&format!("step {step} of seed {seed}"), attempt(one), attempt(other))?;
        dice.roll(2);
        if step % 10 == 9 {
            compare(one, other, &mut dice).map_err(|fault| format!("after step {step} of seed {seed}: {fault}"))?;
        }
    }
    compare(one, other, &mut dice).map_err(|fault| format!("after seed {seed}: {fault}"))
}

/// The version that something is expected to have: most often the one that it has.
fn expected(dice: &mut Dice, current: Option<i64>) -> Option<i64> {
    match dice.roll(8) {
        0 => Some(99),
        1 => None,
        _ => current,
    }
}

/// One thing at random.
fn act(unit: &mut dyn Writing, dice: &mut Dice) -> Got<()> {
    match dice.roll(22) {
        0 | 1 => {
            let id = dice.id(PROJECT);
            let expected = expected(dice, unit.project(id)?.map(|it| it.version));
            let project = Project {
                id,
                name: dice.text(),
                summary: dice.text(),
                description: (dice.roll(2) == 0).then(|| dice.text()),
                version: expected.unwrap_or(0) + 1,
                tags: dice.tags(),
                created_at: dice.time(),
                modified_at: dice.time(),
            };
            unit.put_project(&project, expected)
        }
        2 | 3 => {
            let id = dice.id(FEATURE);
            let expected = expected(dice, unit.feature(id)?.map(|it| it.version));
            let blocked_by = dice.work().into_iter().map(Blocker::Entity).collect();
            let feature = Feature {
                id,
                project_id: dice.maybe_id(PROJECT),
                name: dice.text(),
                summary: dice.text(),
                description: None,
                status: dice.pick(&Status::KNOWN),
                priority: dice.pick(&[Priority::High, Priority::Medium, Priority::Low]),
                blocked_by,
                blocked_reason: None,
                related_to: dice.work(),
                version: expected.unwrap_or(0) + 1,
                tags: dice.tags(),
                created_at: dice.time(),
                modified_at: dice.time(),
            };
            unit.put_feature(&feature, expected)
        }
        4..=6 => {
            let id = dice.id(TASK);
            let expected = expected(dice, unit.task(id)?.map(|it| it.version));
            let blocked_by = match dice.roll(3) {
                0 => dice.work().into_iter().map(Blocker::Entity).collect(),
                1 => vec![Blocker::NoOp],
                _ => Vec::new(),
            };
            let task = Task {
                id,
                project_id: dice.maybe_id(PROJECT),
                feature_id: dice.maybe_id(FEATURE),
                title: dice.text(),
                summary: dice.text(),
                description: None,
                status: dice.pick(&Status::KNOWN),
                priority: dice.pick(&[Priority::High, Priority::Medium, Priority::Low]),
                complexity: dice.roll(3) as i64,
                blocked_by,
                blocked_reason: None,
                related_to: dice.work(),
                last_modified_by: None,
                version: expected.unwrap_or(0) + 1,
                tags: dice.tags(),
                created_at: dice.time(),
                modified_at: dice.time(),
            };
            unit.put_task(&task, expected)
        }
        7 | 8 => {
            let id = dice.id(SECTION);
            let expected = expected(dice, unit.section(id)?.map(|it| it.version));
            let of = entity(dice);
            let section = Section {
                id,
                version: expected.unwrap_or(0) + 1,
                ..section(1, of, dice.roll(4) as i64)
            };
            unit.put_section(&section, expected)
        }
        9 => {
            let id = dice.id(TEMPLATE);
            let name = dice.text();
            let mut form = template(1, &name);
            form.id = id;
            form.is_enabled = dice.roll(2) == 0;
            unit.put_template(&form)
        }
        10 => {
            let id = dice.id(PART);
            let mut part = template_section(1, dice.id(TEMPLATE), dice.roll(3) as i64);
            part.id = id;
            unit.put_template_section(&part)
        }
        11 | 12 => {
            let id = dice.id(MOLECULE);
            let expected = expected(dice, unit.molecule(id)?.map(|it| it.version));
            let of = dice.id(PROJECT);
            let name = dice.text();
            let molecule = Molecule {
                id,
                knowledge: dice.text(),
                version: expected.unwrap_or(0) + 1,
                ..molecule(1, of, &name)
            };
            unit.put_molecule(&molecule, expected)
        }
        13..=15 => {
            let id = dice.id(ATOM);
            let before = unit.atom(id)?;
            let expected = expected(dice, before.as_ref().map(|it| it.version));
            let of = before.map_or_else(|| dice.id(PROJECT), |atom| atom.project_id);
            let name = dice.text();
            let atom = Atom {
                id,
                molecule_id: dice.maybe_id(MOLECULE),
                paths: vec![format!("{}/**", dice.roll(9))],
                knowledge: dice.text(),
                version: expected.unwrap_or(0) + 1,
                ..atom(1, of, &name)
            };
            unit.put_atom(&atom, expected)
        }
        16 => {
            let parent = match dice.roll(2) {
                0 => Parent::atom(dice.id(ATOM)),
                _ => Parent::molecule(dice.id(MOLECULE)),
            };
            let mut entry = entry(1, parent, "why");
            entry.id = numbered(ENTRY + dice.roll(1_000));
            unit.append(&entry)
        }
        17 => match dice.roll(7) {
            0 => unit.remove_project(dice.id(PROJECT)),
            1 => unit.remove_feature(dice.id(FEATURE)),
            2 => unit.remove_task(dice.id(TASK)),
            3 => unit.remove_section(dice.id(SECTION)).map(drop),
            4 => unit.remove_template(dice.id(TEMPLATE)),
            5 => unit.remove_molecule(dice.id(MOLECULE)),
            _ => unit.remove_graph(dice.id(PROJECT)).map(drop),
        },
        18 => unit.remove_atom(dice.id(ATOM)),
        19 => {
            let of = entity(dice);
            unit.set_tags(of, &dice.tags())
        }
        20 => {
            let key = RepositoryKey {
                root: (dice.roll(2) == 0).then(|| format!("/{}", dice.roll(4))),
                origin: (dice.roll(2) == 0).then(|| format!("h/{}", dice.roll(4))),
            };
            if key == RepositoryKey::default() {
                Ok(())
            } else {
                unit.link_repository(dice.id(PROJECT), &key)
            }
        }
        _ => unit.unlink_repositories(dice.id(PROJECT)).map(drop),
    }
}

fn entity(dice: &mut Dice) -> Entity {
    let kind = dice.pick(&[EntityType::Project, EntityType::Feature, EntityType::Task]);
    let of = match kind {
        EntityType::Project => PROJECT,
        EntityType::Feature => FEATURE,
        EntityType::Task => TASK,
    };
    Entity { kind, id: dice.id(of) }
}

/// Everything that a store says, as text; what is asked is the same for the same dice.
fn says(store: &dyn Memory, mut dice: Dice) -> Result<Vec<String>, String> {
    let mut said = Vec::new();
    for record in everything(store)? {
        said.push(format!("{record:?}"));
    }
    read(store, |unit| {
        let mut say = |what: &str, told: &dyn Debug| said.push(format!("{what}: {told:?}"));
        say("counts", &ok(unit.counts())?);
        say("tags", &ok(unit.tags(None))?);
        for number in 0..POOL {
            let of = |kind: u64| numbered(kind + number);
            say("dependents", &ok(unit.dependents(of(TASK)))?);
            say("dependents", &ok(unit.dependents(of(FEATURE)))?);
            say("statuses", &ok(unit.statuses(of(FEATURE)))?);
            say("members", &ok(unit.members(of(MOLECULE)))?);
            say("sections", &ok(unit.sections(Entity::task(of(TASK))))?);
            say("parts", &ok(unit.template_sections(of(TEMPLATE)))?);
            say("counts", &ok(unit.task_counts(Entity::project(of(PROJECT))))?);
            say("repositories", &ok(unit.repositories(of(PROJECT)))?.len());
            let index = ok(unit.patterns(of(PROJECT)))?;
            for atom in 0..POOL {
                say("patterns", &index.patterns(numbered(ATOM + atom)));
            }
            let mut of_project = Vec::new();
            ok(unit.every(Some(of(PROJECT)), &mut |record| {
                of_project.push(record);
                Ok(())
            }))?;
            say("of a project", &of_project);
            for parent in [Parent::atom(of(ATOM)), Parent::molecule(of(MOLECULE))] {
                say("recent", &ok(unit.recent(&[parent], 2))?);
                for _ in 0..4 {
                    let search = GraphSearch {
                        kind: parent.kind,
                        project: of(PROJECT),
                        words: (0..dice.roll(3)).map(|_| dice.word()).collect(),
                        molecule: if dice.roll(4) == 0 {
                            Some(dice.id(MOLECULE))
                        } else {
                            None
                        },
                        orphans_only: dice.roll(5) == 0,
                        offset: dice.roll(2) as u32,
                        limit: 1 + dice.roll(4) as u32,
                    };
                    say(&format!("{search:?}"), &ok(unit.search(&search))?);
                }
            }
        }
        for tag in ["a", "b", "c"] {
            say("tagged", &ok(unit.tagged(tag))?);
        }
        for _ in 0..12 {
            let filter = some_filter(&mut dice);
            let found = ok(unit.containers(&filter))?;
            let found: Vec<Entity> = found.iter().map(Container::entity).collect();
            say(&format!("{filter:?}"), &found);
        }
        let next = NextFilter {
            project: dice.maybe_id(PROJECT),
            feature: None,
            priority: None,
            terminal: vec![Status::Closed],
        };
        say("next", &ok(unit.next_tasks(&next, 3))?);
        Ok(())
    })?;
    Ok(said)
}

fn some_filter(dice: &mut Dice) -> ContainerFilter {
    let kind = dice.pick(&[EntityType::Project, EntityType::Feature, EntityType::Task]);
    let states = |dice: &mut Dice| (0..dice.roll(3)).map(|_| dice.pick(&Status::KNOWN)).collect();
    let is_work = kind != EntityType::Project;
    ContainerFilter {
        words: (0..dice.roll(2)).map(|_| dice.word()).collect(),
        status: Picked {
            included: if is_work { states(dice) } else { Vec::new() },
            excluded: if is_work { states(dice) } else { Vec::new() },
        },
        tags: TagFilter {
            all: if dice.roll(3) == 0 { dice.tags() } else { Vec::new() },
            any: if dice.roll(3) == 0 { dice.tags() } else { Vec::new() },
            none: if dice.roll(3) == 0 { dice.tags() } else { Vec::new() },
        },
        project: if dice.roll(3) == 0 {
            Some(dice.id(PROJECT))
        } else {
            None
        },
        feature: if dice.roll(4) == 0 {
            Some(dice.id(FEATURE))
        } else {
            None
        },
        blocked: if dice.roll(3) == 0 {
            Some(dice.roll(2) == 0)
        } else {
            None
        },
        order: dice.pick(&[
            ContainerOrder::Newest,
            ContainerOrder::Modified,
            ContainerOrder::Urgent,
            ContainerOrder::Oldest,
        ]),
        offset: dice.roll(2) as u32,
        limit: (dice.roll(2) == 0).then_some(3),
        ..ContainerFilter::all(kind)
    }
}

fn compare(one: &dyn Memory, other: &dyn Memory, dice: &mut Dice) -> Kept {
    let state = dice.0;
    let (one, other) = (says(one, Dice(state))?, says(other, Dice(state))?);
    dice.roll(2);
    for (one, other) in one.iter().zip(&other) {
        same("the stores differ", one, other)?;
    }
    same("how much they say", one.len(), other.len())
}
