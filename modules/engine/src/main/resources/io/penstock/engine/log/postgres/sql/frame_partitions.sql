-- The partitions of frames: of one day, or of all that stays of the days before one; with their bytes, indexes included
SELECT partition.relname AS name,
       substring(partition.relname FROM '^frame_d([0-9]+)$')::int AS day,
       substring(partition.relname FROM '^frame_k([0-9]+)_')::int AS kept_before,
       pg_total_relation_size(partition.oid) AS bytes
FROM pg_inherits JOIN pg_class AS partition ON partition.oid = inhrelid
WHERE inhparent = 'frame'::regclass
ORDER BY day NULLS FIRST
