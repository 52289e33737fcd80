-- $1 above this stream_no, $2 how many at most
-- The last frame of a session says how it stands.
SELECT stream.stream_no, stream.stream_id, last_frame.at_ms, last_frame.type, last_frame.body
FROM stream
CROSS JOIN LATERAL (
    SELECT at_ms, type, body FROM frame WHERE frame.stream_no = stream.stream_no ORDER BY seq DESC LIMIT 1
) AS last_frame
WHERE kind = 1 AND stream.stream_no > $1::bigint
ORDER BY stream.stream_no
LIMIT $2::int
