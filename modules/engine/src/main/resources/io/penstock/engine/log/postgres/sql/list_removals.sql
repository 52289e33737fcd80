-- $1 how many at most; the newest first
SELECT at_ms, reason, before_ms, tasks, sessions, bytes FROM removal ORDER BY removal_no DESC LIMIT $1::int
