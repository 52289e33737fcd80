-- $1 schema, $2 number of the node; the address of another node that holds the schema, or null where it is this machine's
SELECT host(activity.client_addr) AS address
FROM pg_locks AS held LEFT JOIN pg_stat_activity AS activity USING (pid)
WHERE held.locktype = 'advisory'
  AND held.granted
  AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  -- pg_locks shows the two numbers of a lock without their signs.
  AND held.classid::bigint = (hashtext('penstock servers of ' || $1::text)::bigint & 4294967295)
  AND held.objid::bigint <> ($2::bigint & 4294967295)
  AND held.objsubid = 2
LIMIT 1
