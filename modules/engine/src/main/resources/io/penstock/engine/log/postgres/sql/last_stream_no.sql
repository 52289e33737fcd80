-- $1, $2 the first and last number that a node may give on a day; NULL if it gave none
SELECT max(stream_no) AS last FROM stream WHERE stream_no BETWEEN $1::bigint AND $2::bigint
