.read other.sql
--> import * from other.sql *
PRAGMA foreign_keys = ON;
CREATE TABLE /*_*/notes (a, b TEXT, /*i*/c, d/* end */);
--> table notes sig="CREATE TABLE notes"
--> field notes.a
--> field notes.b
--> field notes.c
--> field notes.d
CREATE VIRTUAL TABLE search USING fts5(title, body, tokenize = 'porter');
--> table search
--> field search.title
--> field search.body
CREATE TRIGGER notes_after AFTER INSERT ON notes WHEN new.a > 0 BEGIN
--> function notes_after cc=3 end=3
  INSERT INTO search VALUES (CASE WHEN new.a THEN 1 END);
  SELECT 1;
END;
CREATE VIEW all_notes AS SELECT * FROM notes;
--> view all_notes
CREATE TABLE no_end (a)
--> table no_end
--> field no_end.a
