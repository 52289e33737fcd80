SELECT current_setting('server_version_num')::int AS version_number,
       current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding,
       current_database() AS database,
       pg_is_in_recovery() AS standby
