-- $1 kind, $2 stream_id; no row when nothing of such a stream was drained
SELECT stream_no,
       coalesce((SELECT seq + 1 FROM frame WHERE frame.stream_no = stream.stream_no ORDER BY seq DESC LIMIT 1), 0)
           AS next_seq
FROM stream
WHERE kind = $1::smallint AND stream_id = $2::text
