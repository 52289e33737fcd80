-- $1, $2 the first and last number that a node may give today, $3 the first of all nodes tomorrow, $4 node_no (10 bits of
-- a number, above a counter of 30). The last number that it gave today (NULL if it gave none), and on each later day:
-- there are some when a clock that ran ahead was set back.
SELECT max(stream_no) AS last FROM stream WHERE stream_no BETWEEN $1::bigint AND $2::bigint
UNION ALL
SELECT max(stream_no) AS last FROM stream
WHERE stream_no >= $3::bigint AND ((stream_no >> 30) & 1023) = $4::int
GROUP BY stream_no >> 40
