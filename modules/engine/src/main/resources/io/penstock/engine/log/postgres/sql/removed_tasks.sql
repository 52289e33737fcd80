-- $1 task ids; those that were removed
SELECT task_id FROM (
    SELECT task_id, sha256(convert_to('0 ' || task_id, 'UTF8')) AS digest
    FROM unnest($1::text[]) AS asked (task_id)
    WHERE NOT EXISTS (SELECT FROM stream WHERE kind = 0 AND stream_id = asked.task_id)
) AS missing
WHERE EXISTS (
    SELECT FROM removed_id
    WHERE bucket = get_byte(digest, 0) AND position(substring(digest FROM 2 FOR 7) IN digests) > 0
)
