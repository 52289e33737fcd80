-- What its session calls a task. Those of before have none, as their frames say.
-- Nothing is rewritten: a column without a default is a note in the catalog, and the index begins empty.
ALTER TABLE task ADD COLUMN label text;

-- Most tasks have no label, and few have the same: so this serves who asks for a session's too. No update changes it.
CREATE INDEX task_of_label ON task (label, stream_no) WHERE label IS NOT NULL;
