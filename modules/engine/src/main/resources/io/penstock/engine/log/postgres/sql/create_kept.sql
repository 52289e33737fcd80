-- The check lets Postgres attach the partition without reading it.
CREATE TABLE {kept} (LIKE frame INCLUDING ALL, CONSTRAINT below CHECK (stream_no < {below})) WITH (
    autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_insert_threshold = 1000000,
    autovacuum_freeze_min_age = 0,
    autovacuum_analyze_scale_factor = 0.5
)
