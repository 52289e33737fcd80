-- Nobody reads or writes frames while partitions are exchanged. Everybody who comes later queues behind one who waits for a lock, so this
-- waits for at most 100 ms, lets the others go, and tries again; after 3 s it gives up, and all of the removal is done another time.
DO $$
DECLARE
    tries int := 0;
BEGIN
    PERFORM set_config('lock_timeout', '100ms', true);
    LOOP
        BEGIN
            LOCK TABLE ONLY frame IN ACCESS EXCLUSIVE MODE;
            EXIT;
        EXCEPTION WHEN lock_not_available THEN
            tries := tries + 1;
            IF tries >= 15 THEN
                RAISE;
            END IF;
            PERFORM pg_sleep(0.1);
        END;
    END LOOP;
    PERFORM set_config('lock_timeout', '1s', true);
END
$$
