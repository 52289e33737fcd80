-- $1 streams below this number, $2 tasks that ended at this time or later stay, $3 ids of other tasks that stay
-- $4 numbers of other streams that stay
INSERT INTO staying (stream_no)
SELECT stream_no FROM task
WHERE stream_no < $1::bigint AND (outcome IS NULL OR pinned OR ended_at_ms >= $2::bigint OR task_id = ANY($3::text[]))
UNION
SELECT stream_no FROM stream WHERE stream_no < $1::bigint AND stream_no = ANY($4::bigint[])
