-- $1 at_ms, $2 reason, $3 before_ms, $4 keep_ms, $5 keep_bytes
INSERT INTO removal (at_ms, reason, before_ms, keep_ms, keep_bytes, tasks, sessions, bytes)
VALUES ($1::bigint, $2::smallint, $3::bigint, $4::bigint, $5::bigint, 0, 0, 0)
RETURNING removal_no
