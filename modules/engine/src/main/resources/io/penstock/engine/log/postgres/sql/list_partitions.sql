-- $1 the partitioned table; the days of its partitions
SELECT substring(partition.relname FROM '_d([0-9]+)$')::int AS day
FROM pg_inherits JOIN pg_class AS partition ON partition.oid = inhrelid
WHERE inhparent = $1::text::regclass AND partition.relname ~ '_d[0-9]+$'
ORDER BY day
