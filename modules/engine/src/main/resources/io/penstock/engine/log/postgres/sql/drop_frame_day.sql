-- DROP locks the whole table for a moment, and whoever comes later queues behind one who waits for that lock; so it
-- waits for at most a second and is otherwise left for the next time. DETACH … CONCURRENTLY would not lock, but cannot
-- be one transaction with the rows of the streams, and leaves a partition half detached when it is interrupted.
DO $$
BEGIN
    PERFORM set_config('lock_timeout', '1s', true);
    DROP TABLE IF EXISTS frame_d{day};
    DELETE FROM task WHERE stream_no >= {from} AND stream_no < {to};
    DELETE FROM stream WHERE stream_no >= {from} AND stream_no < {to};
END
$$
