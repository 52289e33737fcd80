-- Made apart and then attached: that lets other sessions go on inserting, which CREATE TABLE … PARTITION OF would
-- not. Two sessions that need the same day take turns.
-- Frames are only ever added, so vacuum has one thing to do: freeze each page once, soon after it is full, by number
-- of rows and not by a share of the table, so that no visit grows with the day.
-- A day that retention has removed has none: what stays of it is in the partition frame_kDAY_N, of all days before DAY.
DO $$
BEGIN
    PERFORM pg_advisory_xact_lock('frame'::regclass::oid::int, {day});
    IF to_regclass('frame_d{day}') IS NULL AND NOT EXISTS (
        SELECT FROM pg_inherits JOIN pg_class AS partition ON partition.oid = inhrelid
        WHERE inhparent = 'frame'::regclass AND substring(partition.relname FROM '^frame_k([0-9]+)_')::int > {day}
    ) THEN
        CREATE TABLE frame_d{day} (LIKE frame INCLUDING ALL) WITH (
            autovacuum_vacuum_insert_scale_factor = 0,
            autovacuum_vacuum_insert_threshold = 1000000,
            autovacuum_freeze_min_age = 0,
            autovacuum_analyze_scale_factor = 0.5
        );
        ALTER TABLE frame ATTACH PARTITION frame_d{day} FOR VALUES FROM ({from}) TO ({to});
    END IF;
END
$$
