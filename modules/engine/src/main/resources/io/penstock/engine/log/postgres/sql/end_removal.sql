-- $1 removal_no, $2 tasks, $3 sessions, $4 bytes
UPDATE removal SET tasks = $2::bigint, sessions = $3::bigint, bytes = $4::bigint WHERE removal_no = $1::int
