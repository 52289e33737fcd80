-- $1 below this stream_no, $2 session_id or NULL for any, $3 phases and $4 outcomes or both NULL for any
-- $5 text in the title, the label or the command, however its letters are written, or NULL, $6 how many at most, $7 label or NULL for any
-- $8 tools or NULL for any, $9 how its id begins or NULL for any
-- $10 the task that started it or NULL for any, $11 batch or NULL for any, $12 whether those that were cleared are left out
-- Newest first.
SELECT stream_no, task_id, phase, outcome, started_at_ms, ended_at_ms, pinned FROM task
WHERE stream_no < $1::bigint
  AND ($2::text IS NULL OR session_id = $2::text)
  AND ($7::text IS NULL OR label = $7::text)
  AND ($8::text[] IS NULL OR tool = ANY($8::text[]))
  AND ($9::text IS NULL OR starts_with(task_id, $9::text))
  AND ($10::text IS NULL OR parent_id = $10::text)
  AND ($11::text IS NULL OR batch = $11::text)
  AND NOT ($12::boolean AND cleared)
  AND ($3::smallint[] IS NULL OR outcome IS NULL AND phase = ANY($3::smallint[]) OR outcome = ANY($4::smallint[]))
  AND ($5::text IS NULL OR strpos(lower(title), lower($5::text)) > 0
       OR strpos(lower(label), lower($5::text)) > 0
       OR strpos(lower(command), lower($5::text)) > 0)
ORDER BY stream_no DESC
LIMIT $6::int
