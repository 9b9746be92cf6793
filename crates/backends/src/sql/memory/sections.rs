//! Sections and templates.

use lore_memory::check::refused;
use lore_memory::envelope::code;
use lore_memory::id::Id;
use lore_memory::model::{Entity, EntityType, Section, Template, TemplateSection};
use lore_memory::store::{Got, TemplateFilter};
use rusqlite::{Connection, Row, params};

use super::rows::{Key, Listed, Said, Table, all, execute, listed, next, one};

const SECTIONS: Table = Table {
    name: "sections",
    what: "Section",
};
const TEMPLATES: Table = Table {
    name: "templates",
    what: "Template",
};

const SECTION: &str = "id, entity_type, entity_id, title, usage_description, content, content_format, ordinal, tags, \
                       version, created_at, modified_at";
const TEMPLATE: &str = "id, name, description, target_entity_type, is_built_in, is_protected, is_enabled, created_by, \
                        tags, created_at, modified_at";
const TEMPLATE_SECTION: &str = "id, template_id, title, usage_description, content_sample, content_format, ordinal, \
                                is_required, tags";

fn read_section(row: &Row<'_>) -> rusqlite::Result<Section> {
    Ok(Section {
        id: row.get::<_, Key>(0)?.0,
        of: Entity {
            kind: row.get::<_, Said<_>>(1)?.0,
            id: row.get::<_, Key>(2)?.0,
        },
        title: row.get(3)?,
        usage_description: row.get(4)?,
        content: row.get(5)?,
        content_format: row.get::<_, Said<_>>(6)?.0,
        ordinal: row.get(7)?,
        tags: row.get::<_, Listed<_>>(8)?.0,
        version: row.get(9)?,
        created_at: row.get(10)?,
        modified_at: row.get(11)?,
    })
}

fn read_template(row: &Row<'_>) -> rusqlite::Result<Template> {
    Ok(Template {
        id: row.get::<_, Key>(0)?.0,
        name: row.get(1)?,
        description: row.get(2)?,
        target_entity_type: row.get::<_, Said<_>>(3)?.0,
        is_built_in: row.get(4)?,
        is_protected: row.get(5)?,
        is_enabled: row.get(6)?,
        created_by: row.get(7)?,
        tags: row.get::<_, Listed<_>>(8)?.0,
        created_at: row.get(9)?,
        modified_at: row.get(10)?,
    })
}

fn read_template_section(row: &Row<'_>) -> rusqlite::Result<TemplateSection> {
    Ok(TemplateSection {
        id: row.get::<_, Key>(0)?.0,
        template_id: row.get::<_, Key>(1)?.0,
        title: row.get(2)?,
        usage_description: row.get(3)?,
        content_sample: row.get(4)?,
        content_format: row.get::<_, Said<_>>(5)?.0,
        ordinal: row.get(6)?,
        is_required: row.get(7)?,
        tags: row.get::<_, Listed<_>>(8)?.0,
    })
}

pub(super) fn section(connection: &Connection, id: Id) -> Got<Option<Section>> {
    let sql = format!("SELECT {SECTION} FROM sections WHERE id = ?1");
    one(connection, &sql, [Key(id)], read_section)
}

pub(super) fn sections(connection: &Connection, of: Entity) -> Got<Vec<Section>> {
    let sql = format!("SELECT {SECTION} FROM sections WHERE entity_type = ?1 AND entity_id = ?2 ORDER BY ordinal");
    all(connection, &sql, params![of.kind.word(), Key(of.id)], read_section)
}

/// Sections in the order in which they were made, of everything or of what belongs to a project.
pub(super) fn every_section(connection: &Connection, of: Option<Id>) -> Got<Vec<Section>> {
    let sql = format!(
        "SELECT {SECTION} FROM sections WHERE ?1 IS NULL \
         OR entity_type = 'PROJECT' AND entity_id = ?1 \
         OR entity_type = 'FEATURE' AND entity_id IN (SELECT id FROM features WHERE project_id = ?1) \
         OR entity_type = 'TASK' AND entity_id IN (SELECT id FROM tasks WHERE project_id = ?1) ORDER BY seq"
    );
    all(connection, &sql, [of.map(Key)], read_section)
}

pub(super) fn template(connection: &Connection, id: Id) -> Got<Option<Template>> {
    let sql = format!("SELECT {TEMPLATE} FROM templates WHERE id = ?1");
    one(connection, &sql, [Key(id)], read_template)
}

pub(super) fn template_named(connection: &Connection, name: &str) -> Got<Option<Template>> {
    let sql = format!("SELECT {TEMPLATE} FROM templates WHERE name = ?1");
    one(connection, &sql, [name], read_template)
}

pub(super) fn templates(connection: &Connection, filter: &TemplateFilter) -> Got<Vec<Template>> {
    let sql = format!(
        "SELECT {TEMPLATE} FROM templates WHERE (?1 IS NULL OR target_entity_type = ?1) \
         AND (?2 IS NULL OR is_built_in = ?2) AND (?3 IS NULL OR is_enabled = ?3) ORDER BY name"
    );
    let values = params![filter.target.map(EntityType::word), filter.built_in, filter.enabled];
    let mut found = all(connection, &sql, values, read_template)?;
    found.retain(|template| filter.tags.is_empty() || filter.tags.iter().any(|tag| template.tags.contains(tag)));
    Ok(found)
}

/// Templates in the order in which they were made.
pub(super) fn every_template(connection: &Connection) -> Got<Vec<Template>> {
    let sql = format!("SELECT {TEMPLATE} FROM templates ORDER BY seq");
    all(connection, &sql, [], read_template)
}

pub(super) fn template_sections(connection: &Connection, template: Id) -> Got<Vec<TemplateSection>> {
    let sql = format!("SELECT {TEMPLATE_SECTION} FROM template_sections WHERE template_id = ?1 ORDER BY ordinal");
    all(connection, &sql, [Key(template)], read_template_section)
}

/// Sections of templates in the order in which they were made.
pub(super) fn every_template_section(connection: &Connection) -> Got<Vec<TemplateSection>> {
    let sql = format!("SELECT {TEMPLATE_SECTION} FROM template_sections ORDER BY seq");
    all(connection, &sql, [], read_template_section)
}

fn ordinal_taken(ordinal: i64) -> lore_seam::OpError {
    refused(code::CONFLICT, format!("another section has the ordinal {ordinal}"))
}

pub(super) fn put_section(connection: &Connection, section: &Section, expected: Option<i64>) -> Got<()> {
    let sql = "SELECT 1 FROM sections WHERE entity_type = ?1 AND entity_id = ?2 AND ordinal = ?3 AND id <> ?4";
    let values = params![
        section.of.kind.word(),
        Key(section.of.id),
        section.ordinal,
        Key(section.id)
    ];
    if one(connection, sql, values, |_| Ok(()))?.is_some() {
        return Err(ordinal_taken(section.ordinal));
    }
    let guard = match expected {
        None => {
            SECTIONS.check_new(connection, section.id)?;
            next(connection)?
        }
        Some(expected) => expected,
    };
    let sql = match expected {
        None => {
            "INSERT INTO sections (id, seq, entity_type, entity_id, title, usage_description, content, content_format, \
             ordinal, tags, version, created_at, modified_at) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
        }
        Some(_) => {
            "UPDATE sections SET entity_type = ?3, entity_id = ?4, title = ?5, usage_description = ?6, content = ?7, \
             content_format = ?8, ordinal = ?9, tags = ?10, version = ?11, created_at = ?12, modified_at = ?13 \
             WHERE id = ?1 AND version = ?2"
        }
    };
    let values = params![
        Key(section.id),
        guard,
        section.of.kind.word(),
        Key(section.of.id),
        section.title,
        section.usage_description,
        section.content,
        section.content_format.word(),
        section.ordinal,
        listed(&section.tags)?,
        section.version,
        section.created_at,
        section.modified_at
    ];
    let changed = execute(connection, sql, values)?;
    match expected {
        Some(expected) => SECTIONS.check_changed(connection, section.id, expected, changed),
        None => Ok(()),
    }
}

pub(super) fn put_template(connection: &Connection, template: &Template) -> Got<()> {
    let sql = "SELECT 1 FROM templates WHERE name = ?1 AND id <> ?2";
    if one(connection, sql, params![template.name, Key(template.id)], |_| Ok(()))?.is_some() {
        let message = format!("another template is called `{}`", template.name);
        return Err(refused(code::DUPLICATE_NAME, message));
    }
    let sql = "INSERT INTO templates (id, seq, name, description, target_entity_type, is_built_in, is_protected, \
               is_enabled, created_by, tags, created_at, modified_at) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) \
               ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description, \
               target_entity_type = excluded.target_entity_type, is_built_in = excluded.is_built_in, \
               is_protected = excluded.is_protected, is_enabled = excluded.is_enabled, \
               created_by = excluded.created_by, tags = excluded.tags, created_at = excluded.created_at, \
               modified_at = excluded.modified_at";
    let values = params![
        Key(template.id),
        next(connection)?,
        template.name,
        template.description,
        template.target_entity_type.word(),
        template.is_built_in,
        template.is_protected,
        template.is_enabled,
        template.created_by,
        listed(&template.tags)?,
        template.created_at,
        template.modified_at
    ];
    execute(connection, sql, values)?;
    Ok(())
}

pub(super) fn put_template_section(connection: &Connection, section: &TemplateSection) -> Got<()> {
    let sql = "SELECT 1 FROM template_sections WHERE template_id = ?1 AND ordinal = ?2 AND id <> ?3";
    let values = params![Key(section.template_id), section.ordinal, Key(section.id)];
    if one(connection, sql, values, |_| Ok(()))?.is_some() {
        return Err(ordinal_taken(section.ordinal));
    }
    let sql = "INSERT INTO template_sections (id, seq, template_id, title, usage_description, content_sample, \
               content_format, ordinal, is_required, tags) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
               ON CONFLICT (id) DO UPDATE SET template_id = excluded.template_id, title = excluded.title, \
               usage_description = excluded.usage_description, content_sample = excluded.content_sample, \
               content_format = excluded.content_format, ordinal = excluded.ordinal, \
               is_required = excluded.is_required, tags = excluded.tags";
    let values = params![
        Key(section.id),
        next(connection)?,
        Key(section.template_id),
        section.title,
        section.usage_description,
        section.content_sample,
        section.content_format.word(),
        section.ordinal,
        section.is_required,
        listed(&section.tags)?
    ];
    execute(connection, sql, values)?;
    Ok(())
}

pub(super) fn remove_section(connection: &Connection, id: Id) -> Got<bool> {
    Ok(execute(connection, "DELETE FROM sections WHERE id = ?1", [Key(id)])? > 0)
}

pub(super) fn remove_template(connection: &Connection, id: Id) -> Got<()> {
    execute(
        connection,
        "DELETE FROM template_sections WHERE template_id = ?1",
        [Key(id)],
    )?;
    TEMPLATES.remove(connection, id)
}
