-- One group of journal records, written exactly once.
-- $1 node_no, $2 epoch, $3 the position drained so far, $4 the position after this group
-- $5..$7   streams: stream_no, kind, stream_id
-- $8..$12  frames: stream_no, seq, at_ms, type, body
-- $13..$18 idempotency: day, principal, key, fingerprint, answer (NULL: claimed), at_ms, in journal order
-- Answers 1, or 0 when the node is not at that position in that epoch; then nothing is written.
-- The frames' arrays are unnested side by side in the select list: in FROM, each is first put aside as a whole, which
-- costs a tenth of the statement.
-- A key may be claimed and answered in one group: the later record wins, as it does over a row of an earlier group.
WITH mine AS (
    UPDATE node SET drained = $4::bigint
    WHERE node_no = $1::int AND epoch = $2::bigint AND drained = $3::bigint
    RETURNING node_no
), new_stream AS (
    INSERT INTO stream (stream_no, kind, stream_id)
    SELECT * FROM unnest($5::bigint[], $6::smallint[], $7::text[])
    WHERE (SELECT count(*) FROM mine) = 1
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
)
SELECT count(*)::int AS written FROM mine
