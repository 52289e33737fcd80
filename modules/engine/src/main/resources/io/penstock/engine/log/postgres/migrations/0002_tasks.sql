-- What a list of tasks is made from: one row per task, kept by the statement that writes its frames, so exactly once.
-- No constraints, for the reasons told in 0001. phase, outcome and mode are stored as in frames: the place of the constant.
-- Rows are updated a few times each, in columns without an index: pages keep room for that.
CREATE TABLE task (
    stream_no     bigint   NOT NULL PRIMARY KEY,
    task_id       text     NOT NULL,
    session_id    text,
    tool          text,
    title         text,
    mode          smallint,
    spawned_at_ms bigint,
    phase         smallint NOT NULL,
    outcome       smallint,
    exit_code     int,
    started_at_ms bigint,
    ended_at_ms   bigint
) WITH (fillfactor = 70);

CREATE INDEX task_of_session ON task (session_id, stream_no) WHERE session_id IS NOT NULL;
