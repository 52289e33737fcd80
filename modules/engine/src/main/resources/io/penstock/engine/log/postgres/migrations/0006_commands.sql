-- The beginning of what a task runs, to search in. Those of before have none; their title, which is mostly the command, is searched.
-- Nothing is rewritten: a column without a default is a note in the catalog.
ALTER TABLE task ADD COLUMN command text;
