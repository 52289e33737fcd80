-- Lists sessions by the time of their first use. A partial index: nearly all streams are of tasks.
CREATE INDEX stream_of_session ON stream (stream_no) WHERE kind = 1;
