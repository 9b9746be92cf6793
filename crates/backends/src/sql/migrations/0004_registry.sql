-- A registry of graphs: its entries, the jobs of visiting them, and what happened. Times are seconds since 1970, truth is 0 or 1, a key is an id in small
-- letters. What is looked up, filtered or counted stands in columns of its own; everything else of an entry is in its document.

CREATE TABLE registry_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE registry_repository (
  key TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  owner TEXT NOT NULL,
  status TEXT NOT NULL,
  entry TEXT NOT NULL
);
CREATE INDEX idx_registry_repository_status ON registry_repository(status, key);
CREATE INDEX idx_registry_repository_owner ON registry_repository(owner, key);

-- The graphs of an entry in their order; a body is held unless the graph was taken back.
CREATE TABLE registry_graph (
  key TEXT NOT NULL REFERENCES registry_repository(key),
  place INTEGER NOT NULL,
  format TEXT,
  status TEXT NOT NULL,
  held_sha TEXT,
  PRIMARY KEY (key, place)
);
CREATE INDEX idx_registry_graph_format ON registry_graph(format, key);
CREATE INDEX idx_registry_graph_held ON registry_graph(held_sha) WHERE held_sha IS NOT NULL;

-- Tags and languages, in small letters.
CREATE TABLE registry_label (
  key TEXT NOT NULL REFERENCES registry_repository(key),
  kind TEXT NOT NULL CHECK (kind IN ('tag', 'language')),
  label TEXT NOT NULL,
  PRIMARY KEY (key, kind, label)
);
CREATE INDEX idx_registry_label ON registry_label(kind, label, key);

-- Sums over all entries, kept as they change: by status, nodes and edges, by kind of node, by language.
CREATE TABLE registry_count (
  what TEXT NOT NULL CHECK (what IN ('status', 'size', 'kind', 'language')),
  name TEXT NOT NULL,
  number INTEGER NOT NULL,
  entries INTEGER NOT NULL,
  PRIMARY KEY (what, name)
);

-- One job for each entry. It is never due if `due` is null; it was never visited if `visited_at` is -1.
CREATE TABLE registry_job (
  key TEXT PRIMARY KEY REFERENCES registry_repository(key),
  host TEXT NOT NULL,
  due INTEGER,
  visited_at INTEGER NOT NULL DEFAULT -1,
  worker TEXT,
  lease_until INTEGER,
  leases INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX idx_registry_job_due ON registry_job(due, key);
CREATE INDEX idx_registry_job_visited ON registry_job(visited_at, key);
CREATE INDEX idx_registry_job_host ON registry_job(host, due, key);
CREATE INDEX idx_registry_job_worker ON registry_job(worker) WHERE worker IS NOT NULL;
CREATE INDEX idx_registry_job_leases ON registry_job(key) WHERE leases >= 5;

CREATE TABLE registry_visit (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL REFERENCES registry_repository(key),
  at INTEGER NOT NULL,
  status TEXT NOT NULL,
  error TEXT,
  requests INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  is_changed INTEGER NOT NULL
);
CREATE INDEX idx_registry_visit_key ON registry_visit(key, seq);
CREATE INDEX idx_registry_visit_at ON registry_visit(at);

-- Events and the audit name ids as they were shown: what they tell of may be gone.
CREATE TABLE registry_event (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  status TEXT
);

CREATE TABLE registry_audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT
);

-- The words in the labels of an entry's primary graph, as a list, and in how many entries each word is.
CREATE TABLE registry_term (
  key TEXT PRIMARY KEY REFERENCES registry_repository(key),
  terms TEXT NOT NULL
);
CREATE TABLE registry_concept (
  term TEXT PRIMARY KEY,
  entries INTEGER NOT NULL
);

-- What can be searched: the graph that a row of the index is of. The index itself does not keep the texts; symbols are kept compressed, because the rest may be
-- told anew without them.
CREATE TABLE registry_text (
  number INTEGER PRIMARY KEY,
  key TEXT NOT NULL REFERENCES registry_repository(key),
  format TEXT NOT NULL,
  symbols BLOB NOT NULL,
  UNIQUE (key, format)
);
CREATE VIRTUAL TABLE registry_words USING fts5(
  name, about, languages, symbols,
  content='', contentless_delete=1, detail=column, prefix='2 3', tokenize='ascii'
);

CREATE TABLE registry_host (
  host TEXT PRIMARY KEY,
  delayed_until INTEGER NOT NULL
);

CREATE TABLE registry_format (
  id TEXT PRIMARY KEY,
  schema TEXT,
  added_at INTEGER NOT NULL,
  deprecated_at INTEGER,
  deprecation TEXT
);

-- Workers that are in a round over everything.
CREATE TABLE registry_round (
  worker TEXT PRIMARY KEY,
  since INTEGER NOT NULL,
  lasts_until INTEGER NOT NULL
);
