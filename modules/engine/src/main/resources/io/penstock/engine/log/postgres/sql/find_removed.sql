-- $1 bucket, $2 the other bytes of the digest; the newest first
SELECT at_ms, reason, before_ms, keep_ms, keep_bytes, position($2::bytea IN digests) AS place
FROM removed_id JOIN removal USING (removal_no)
WHERE bucket = $1::smallint AND position($2::bytea IN digests) > 0
ORDER BY removal_no DESC
LIMIT 1
