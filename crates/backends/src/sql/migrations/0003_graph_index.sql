-- What makes the graph fast and its order sure: the order in which rows were made (seq) and last changed (revision), texts as they are compared,
-- and an index of three letters each over those.

ALTER TABLE graph_molecules ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE graph_molecules ADD COLUMN name_fold TEXT NOT NULL DEFAULT '';
ALTER TABLE graph_molecules ADD COLUMN knowledge_fold TEXT NOT NULL DEFAULT '';
ALTER TABLE graph_atoms ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE graph_atoms ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
ALTER TABLE graph_atoms ADD COLUMN name_fold TEXT NOT NULL DEFAULT '';
ALTER TABLE graph_atoms ADD COLUMN knowledge_fold TEXT NOT NULL DEFAULT '';
ALTER TABLE graph_atoms ADD COLUMN confirmed_commit TEXT;
ALTER TABLE graph_atoms ADD COLUMN confirmed_at TEXT;
ALTER TABLE graph_atoms ADD COLUMN confirmed_dirty TEXT;
ALTER TABLE graph_changelog ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
UPDATE graph_molecules SET seq = rowid;
UPDATE graph_atoms SET seq = rowid;
UPDATE graph_changelog SET seq = rowid;

CREATE UNIQUE INDEX idx_graph_molecules_seq ON graph_molecules(seq);
CREATE UNIQUE INDEX idx_graph_atoms_seq ON graph_atoms(seq);
CREATE INDEX idx_graph_molecules_name ON graph_molecules(project_id, name_fold, name, id);
CREATE INDEX idx_graph_atoms_name ON graph_atoms(project_id, name_fold, name, id);
CREATE INDEX idx_graph_atoms_revision ON graph_atoms(project_id, revision);
CREATE INDEX idx_graph_changelog_order ON graph_changelog(parent_type, parent_id, seq);

-- Atoms that are gone, so that whoever keeps the patterns of a project learns of it.
CREATE TABLE graph_removals (
  project_id TEXT NOT NULL,
  atom_id TEXT NOT NULL,
  revision INTEGER NOT NULL
);
CREATE INDEX idx_graph_removals ON graph_removals(project_id, revision);

CREATE VIRTUAL TABLE molecule_words USING fts5(name, knowledge, content='', detail=none, columnsize=0, tokenize='trigram case_sensitive 1');
CREATE VIRTUAL TABLE atom_words USING fts5(name, knowledge, content='', detail=none, columnsize=0, tokenize='trigram case_sensitive 1');
