-- $1 stream_no; no row for a stream without frames
SELECT seq + 1 AS next_seq FROM frame WHERE stream_no = $1::bigint ORDER BY seq DESC LIMIT 1
