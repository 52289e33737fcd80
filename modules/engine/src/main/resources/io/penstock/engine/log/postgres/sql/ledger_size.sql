-- Bytes of what is not frames. The rows of streams and tasks are counted by number: their tables keep the space of removed rows for
-- new ones.
SELECT (SELECT count(*) FROM stream) AS streams,
       pg_total_relation_size('stream'::regclass) + pg_total_relation_size('task'::regclass) AS row_bytes,
       (SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint FROM pg_inherits WHERE inhparent = 'idempotency'::regclass)
           + pg_total_relation_size('removal'::regclass) + pg_total_relation_size('removed_id'::regclass) AS other_bytes
