-- $1 the streams that may have got frames since the others were copied
INSERT INTO {kept}
SELECT frame.*
FROM unnest($1::bigint[]) AS used (stream_no)
CROSS JOIN LATERAL (
    SELECT coalesce(max(seq), -1) AS seq FROM {kept} AS kept WHERE kept.stream_no = used.stream_no
) AS copied
JOIN frame ON frame.stream_no = used.stream_no AND frame.seq > copied.seq
WHERE used.stream_no < {below} AND frame.stream_no < {below}
