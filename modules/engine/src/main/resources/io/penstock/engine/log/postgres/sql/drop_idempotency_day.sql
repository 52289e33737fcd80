-- The lock is waited for as little as in drop_frame_day.sql, for the reason told there.
DO $$
BEGIN
    PERFORM set_config('lock_timeout', '1s', true);
    DROP TABLE IF EXISTS idempotency_d{day};
END
$$
