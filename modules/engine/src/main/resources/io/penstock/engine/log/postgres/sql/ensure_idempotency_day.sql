-- As for frames, but rows are updated once (the answer): pages keep room for that.
DO $$
BEGIN
    PERFORM pg_advisory_xact_lock('idempotency'::regclass::oid::int, {day});
    IF to_regclass('idempotency_d{day}') IS NULL THEN
        CREATE TABLE idempotency_d{day} (LIKE idempotency INCLUDING ALL) WITH (fillfactor = 70);
        ALTER TABLE idempotency ATTACH PARTITION idempotency_d{day} FOR VALUES FROM ({from}) TO ({to});
    END IF;
END
$$
