-- What is asked for among very many entries without looking at the entries themselves: the words that most of them have, and the ids in their order.

CREATE INDEX idx_registry_concept ON registry_concept(entries DESC, term) WHERE entries >= 2;
CREATE INDEX idx_registry_repository_id ON registry_repository(key, id, status);
