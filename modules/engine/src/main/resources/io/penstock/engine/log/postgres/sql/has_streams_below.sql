-- $1 a stream_no
SELECT EXISTS (SELECT FROM stream WHERE stream_no < $1::bigint) AS found
