-- It waits for the lock as briefly as drop_frame_day.sql, for the same reason.
DO $$
BEGIN
    PERFORM set_config('lock_timeout', '1s', true);
    DROP TABLE IF EXISTS idempotency_d{day};
END
$$
