-- $1 schema; until the end of the transaction
SELECT pg_advisory_xact_lock(hashtextextended('penstock migrations of ' || $1::text, 0))
