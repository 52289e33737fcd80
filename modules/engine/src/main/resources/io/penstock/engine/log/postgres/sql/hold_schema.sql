-- $1 schema, $2 number of the node; until the connection ends. Shared, so that a server's successor need not wait for its end
SELECT pg_advisory_lock_shared(hashtext('penstock servers of ' || $1::text), $2::int)
