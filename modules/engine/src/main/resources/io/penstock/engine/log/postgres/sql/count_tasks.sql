-- $1 session_id or NULL for any, $2 text in the title, the label or the command, however its letters are written, or NULL
-- $3 label or NULL for any, $4 how many of the newest are counted
SELECT phase, outcome, count(*) AS tasks FROM (
    SELECT phase, outcome FROM task
    WHERE ($1::text IS NULL OR session_id = $1::text)
      AND ($3::text IS NULL OR label = $3::text)
      AND ($2::text IS NULL OR strpos(lower(title), lower($2::text)) > 0
           OR strpos(lower(label), lower($2::text)) > 0
           OR strpos(lower(command), lower($2::text)) > 0)
    ORDER BY stream_no DESC
    LIMIT $4::int
) AS newest
GROUP BY phase, outcome
