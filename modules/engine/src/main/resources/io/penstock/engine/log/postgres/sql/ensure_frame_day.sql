-- Made apart and then attached: that lets other sessions go on inserting, which CREATE TABLE … PARTITION OF would
-- not. Two sessions that need the same day take turns.
-- Frames are only ever added, so vacuum has one thing to do: freeze each page once, soon after it is full, by number
-- of rows and not by a share of the table, so that no visit grows with the day.
DO $$
BEGIN
    PERFORM pg_advisory_xact_lock('frame'::regclass::oid::int, {day});
    IF to_regclass('frame_d{day}') IS NULL THEN
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
