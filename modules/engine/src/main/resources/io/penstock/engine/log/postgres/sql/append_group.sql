-- One group of journal records, written exactly once.
-- $1 node_no, $2 epoch, $3 the position drained so far, $4 the position after this group
-- $5..$7   streams: stream_no, kind, stream_id
-- $8..$12  frames: stream_no, seq, at_ms, type, body
-- $13..$18 idempotency: day, principal, key, fingerprint, answer (NULL: claimed), at_ms, in journal order
-- $19..$37 tasks: stream_no, whether it begins here, session_id, tool, title, mode, spawned_at_ms, phase (NULL: it stays as it is, with
--           all that belongs to it), outcome, exit_code, started_at_ms, ended_at_ms, whether a new run began, label, whether it is
--           pinned (NULL: as before), command, parent_id, batch, whether it was cleared; one row per task, merged, since no part of this statement sees what
--           another has written
-- Answers 1, or 0 when the node is not at that position in that epoch; then nothing is written.
-- A stream whose name the database has already is kept under a name that no stream can have (with a ~ in it), and is
-- in "refused": one caller's mistake must not hold up what comes after it.
-- The frames' arrays are unnested side by side in the select list: in FROM, each is first put aside as a whole, which
-- costs a tenth of the statement.
-- A key may be claimed and answered in one group: the later record wins, as it does over a row of an earlier group.
WITH mine AS (
    UPDATE node SET drained = $4::bigint
    WHERE node_no = $1::int AND epoch = $2::bigint AND drained = $3::bigint
    RETURNING node_no
), new_stream AS (
    INSERT INTO stream (stream_no, kind, stream_id)
    SELECT begun.stream_no, begun.kind,
           CASE WHEN EXISTS (SELECT FROM stream WHERE stream.kind = begun.kind AND stream.stream_id = begun.stream_id)
                THEN begun.stream_id || '~' || begun.stream_no ELSE begun.stream_id END
    FROM unnest($5::bigint[], $6::smallint[], $7::text[]) AS begun (stream_no, kind, stream_id)
    WHERE (SELECT count(*) FROM mine) = 1
    RETURNING stream_no, kind, stream_id
), new_frame AS (
    INSERT INTO frame (stream_no, seq, at_ms, type, body)
    SELECT unnest($8::bigint[]), unnest($9::bigint[]), unnest($10::bigint[]), unnest($11::smallint[]), unnest($12::bytea[])
    WHERE (SELECT count(*) FROM mine) = 1
), newest AS (
    SELECT DISTINCT ON (day, principal, key) day, principal, key, fingerprint, answer, at_ms
    FROM unnest($13::int[], $14::text[], $15::text[], $16::bytea[], $17::bytea[], $18::bigint[])
        WITH ORDINALITY AS given (day, principal, key, fingerprint, answer, at_ms, place)
    WHERE (SELECT count(*) FROM mine) = 1
    ORDER BY day, principal, key, place DESC
), new_answer AS (
    INSERT INTO idempotency (day, principal, key, fingerprint, answer, at_ms)
    SELECT * FROM newest
    ON CONFLICT (day, principal, key)
        DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer, at_ms = excluded.at_ms
), change AS MATERIALIZED (
    SELECT *
    FROM unnest($19::bigint[], $20::boolean[], $21::text[], $22::text[], $23::text[], $24::smallint[], $25::bigint[],
                $26::smallint[], $27::smallint[], $28::int[], $29::bigint[], $30::bigint[], $31::boolean[], $32::text[],
                $33::boolean[], $34::text[], $35::text[], $36::text[], $37::boolean[])
        AS given (stream_no, begins, session_id, tool, title, mode, spawned_at_ms,
                  phase, outcome, exit_code, started_at_ms, ended_at_ms, new_run, label,
                  pinned, command, parent_id, batch, cleared)
    WHERE (SELECT count(*) FROM mine) = 1
), new_task AS (
    INSERT INTO task (stream_no, task_id, session_id, label, tool, title, mode, spawned_at_ms,
                      phase, outcome, exit_code, started_at_ms, ended_at_ms, pinned, command, parent_id, batch, cleared)
    SELECT change.stream_no, named.stream_id, session_id, label, tool, title, mode, spawned_at_ms,
           phase, outcome, exit_code, started_at_ms, ended_at_ms, coalesce(pinned, false), command,
           parent_id, batch, cleared
    FROM change JOIN (
        SELECT stream_no, kind, stream_id FROM new_stream
        UNION ALL
        SELECT stream_no, kind, stream_id FROM stream WHERE stream_no = ANY($19::bigint[])
    ) AS named ON named.stream_no = change.stream_no
    WHERE begins AND named.kind = 0 AND strpos(named.stream_id, '~') = 0
    ON CONFLICT (stream_no) DO NOTHING
), moved_task AS (
    UPDATE task
    SET phase = coalesce(change.phase, task.phase),
        outcome = CASE WHEN change.phase IS NULL THEN task.outcome ELSE change.outcome END,
        exit_code = CASE WHEN change.phase IS NULL THEN task.exit_code ELSE change.exit_code END,
        ended_at_ms = CASE WHEN change.phase IS NULL THEN task.ended_at_ms ELSE change.ended_at_ms END,
        pinned = coalesce(change.pinned, task.pinned),
        cleared = change.cleared OR task.cleared,
        started_at_ms = CASE WHEN change.new_run THEN change.started_at_ms
                             ELSE coalesce(change.started_at_ms, task.started_at_ms) END
    FROM change
    WHERE task.stream_no = change.stream_no AND NOT change.begins
)
SELECT (SELECT count(*) FROM mine)::int AS written,
       (SELECT array_agg(stream_no) FROM new_stream WHERE strpos(stream_id, '~') > 0) AS refused
