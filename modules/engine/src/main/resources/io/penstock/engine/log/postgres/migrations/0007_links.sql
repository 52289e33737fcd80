-- Which task started it, and the batch that it belongs to.
-- Nothing is rewritten: a column without a default is a note in the catalog, and the indexes begin empty.
ALTER TABLE task ADD COLUMN parent_id text;
ALTER TABLE task ADD COLUMN batch text;

-- Most tasks have neither. No update changes them.
CREATE INDEX task_of_parent ON task (parent_id, stream_no) WHERE parent_id IS NOT NULL;
CREATE INDEX task_of_batch ON task (batch, stream_no) WHERE batch IS NOT NULL;
