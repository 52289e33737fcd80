-- $1 kind, $2 stream_id; no row when nothing of such a stream was drained
-- Its frames are asked for in a statement of their own: with the number as a parameter, Postgres looks at one partition only.
SELECT stream_no FROM stream WHERE kind = $1::smallint AND stream_id = $2::text
