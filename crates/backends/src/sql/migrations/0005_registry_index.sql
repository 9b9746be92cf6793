-- What is asked for among very many entries without looking at the entries themselves: the words that most of them have, and the ids in their order.

CREATE INDEX idx_registry_concept ON registry_concept(entries DESC, term) WHERE entries >= 2;
CREATE INDEX idx_registry_repository_id ON registry_repository(key, id, status);

-- Words are counted for entries that are ok alone.
DELETE FROM registry_concept;
INSERT INTO registry_concept (term, entries)
  SELECT word.value, count(*) FROM registry_term AS t JOIN registry_repository AS r ON r.key = t.key AND r.status = 'ok', json_each(t.terms) AS word
  GROUP BY word.value;
