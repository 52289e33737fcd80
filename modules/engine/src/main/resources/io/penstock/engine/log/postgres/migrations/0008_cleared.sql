-- Whether a task was removed from lists.
-- Nothing is rewritten: a column with a constant default is a note in the catalog.
ALTER TABLE task ADD COLUMN cleared boolean NOT NULL DEFAULT false;
