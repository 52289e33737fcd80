-- $1 below this stream_no, $2 how many at most
-- Newest first. The last frame of a session says how it stands.
SELECT stream.stream_no, stream.stream_id, first_frame.at_ms AS started_at_ms,
       last_frame.seq, last_frame.at_ms, last_frame.type, last_frame.body
FROM stream
CROSS JOIN LATERAL (
    SELECT at_ms FROM frame WHERE frame.stream_no = stream.stream_no AND seq = 0
) AS first_frame
CROSS JOIN LATERAL (
    SELECT seq, at_ms, type, body FROM frame
    WHERE frame.stream_no = stream.stream_no ORDER BY seq DESC LIMIT 1
) AS last_frame
WHERE kind = 1 AND stream.stream_no < $1::bigint AND strpos(stream_id, '~') = 0
ORDER BY stream.stream_no DESC
LIMIT $2::int
