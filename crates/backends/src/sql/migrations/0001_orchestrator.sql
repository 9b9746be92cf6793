-- Projects, features and tasks with what belongs to them. Identifiers are UUIDs with dashes, times are texts, truth is 0 or 1.

CREATE TABLE store (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- One number for the order of everything: rows are made and changed in it.
CREATE TABLE sequence (
  name TEXT PRIMARY KEY,
  next INTEGER NOT NULL
);
INSERT INTO sequence (name, next) VALUES ('memory', 0);

CREATE TABLE projects (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL,
  summary TEXT NOT NULL,
  description TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  fold TEXT NOT NULL
);

CREATE TABLE project_repositories (
  project_id TEXT NOT NULL REFERENCES projects(id),
  root TEXT UNIQUE,
  origin TEXT UNIQUE
);
CREATE INDEX idx_project_repositories_project ON project_repositories(project_id);

CREATE TABLE features (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  project_id TEXT REFERENCES projects(id),
  name TEXT NOT NULL,
  summary TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'NEW',
  priority TEXT NOT NULL CHECK (priority IN ('HIGH', 'MEDIUM', 'LOW')),
  blocked_reason TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  fold TEXT NOT NULL
);
CREATE INDEX idx_features_project ON features(project_id, status);

CREATE TABLE tasks (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  project_id TEXT REFERENCES projects(id),
  feature_id TEXT REFERENCES features(id),
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  description TEXT,
  status TEXT NOT NULL DEFAULT 'NEW',
  priority TEXT NOT NULL CHECK (priority IN ('HIGH', 'MEDIUM', 'LOW')),
  complexity INTEGER NOT NULL,
  blocked_reason TEXT,
  last_modified_by TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  fold TEXT NOT NULL
);
CREATE INDEX idx_tasks_project ON tasks(project_id, status, priority, complexity, seq);
CREATE INDEX idx_tasks_feature ON tasks(feature_id, status);

-- What has to happen first: a feature, a task, or NO_OP.
CREATE TABLE blockers (
  entity_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  blocker TEXT NOT NULL,
  PRIMARY KEY (entity_id, blocker)
);
CREATE INDEX idx_blockers_blocker ON blockers(blocker);

CREATE TABLE related (
  entity_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  other_id TEXT NOT NULL,
  PRIMARY KEY (entity_id, other_id)
);
CREATE INDEX idx_related_other ON related(other_id);

CREATE TABLE sections (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  entity_type TEXT NOT NULL CHECK (entity_type IN ('PROJECT', 'FEATURE', 'TASK')),
  entity_id TEXT NOT NULL,
  title TEXT NOT NULL,
  usage_description TEXT NOT NULL,
  content TEXT NOT NULL,
  content_format TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]',
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL,
  UNIQUE (entity_type, entity_id, ordinal)
);

CREATE TABLE templates (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  target_entity_type TEXT NOT NULL CHECK (target_entity_type IN ('PROJECT', 'FEATURE', 'TASK')),
  is_built_in INTEGER NOT NULL DEFAULT 0,
  is_protected INTEGER NOT NULL DEFAULT 0,
  is_enabled INTEGER NOT NULL DEFAULT 1,
  created_by TEXT,
  tags TEXT NOT NULL DEFAULT '[]',
  created_at TEXT NOT NULL,
  modified_at TEXT NOT NULL
);

CREATE TABLE template_sections (
  id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE,
  template_id TEXT NOT NULL REFERENCES templates(id),
  title TEXT NOT NULL,
  usage_description TEXT NOT NULL,
  content_sample TEXT NOT NULL,
  content_format TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  is_required INTEGER NOT NULL DEFAULT 0,
  tags TEXT NOT NULL DEFAULT '[]',
  UNIQUE (template_id, ordinal)
);

CREATE TABLE entity_tags (
  entity_id TEXT NOT NULL,
  entity_type TEXT NOT NULL CHECK (entity_type IN ('PROJECT', 'FEATURE', 'TASK')),
  tag TEXT NOT NULL,
  PRIMARY KEY (entity_id, entity_type, tag)
);
CREATE INDEX idx_entity_tags_tag ON entity_tags(tag);
