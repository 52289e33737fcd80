-- $1 streams below this number
DELETE FROM task
WHERE stream_no < $1::bigint AND NOT EXISTS (SELECT FROM staying WHERE staying.stream_no = task.stream_no)
