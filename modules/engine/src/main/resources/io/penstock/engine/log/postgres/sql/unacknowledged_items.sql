-- $1 stream_no, $2 from this seq, $3 how many at most
-- Types: tool_ended, session_watcher_hit, session_acknowledged, session_task_ended.
SELECT seq, at_ms, type, body FROM frame
WHERE stream_no = $1::bigint AND seq >= $2::bigint AND type IN (22, 27, 28, 39)
ORDER BY seq
LIMIT $3::int
