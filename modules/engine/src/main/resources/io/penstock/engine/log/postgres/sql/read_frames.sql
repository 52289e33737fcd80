-- $1 stream_no, $2 first seq, $3 last seq (inclusive), $4 how many at most
SELECT seq, at_ms, type, body FROM frame
WHERE stream_no = $1::bigint AND seq >= $2::bigint AND seq <= $3::bigint
ORDER BY seq
LIMIT $4::int
