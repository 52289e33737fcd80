-- $1 session_id
SELECT EXISTS (SELECT FROM task WHERE session_id = $1::text AND outcome IS NULL) AS found
