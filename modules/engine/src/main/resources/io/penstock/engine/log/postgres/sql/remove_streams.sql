-- $1 streams below this number, $2 removal_no
-- Digests are of the kind and the id, as RemovedStreams makes them. A name with ~ in it was never given to anybody.
WITH gone AS (
    DELETE FROM stream
    WHERE stream_no < $1::bigint AND NOT EXISTS (SELECT FROM staying WHERE staying.stream_no = stream.stream_no)
    RETURNING kind, stream_id
), digested AS (
    SELECT sha256(convert_to(kind || ' ' || stream_id, 'UTF8')) AS digest FROM gone WHERE strpos(stream_id, '~') = 0
), remembered AS (
    INSERT INTO removed_id (bucket, removal_no, digests)
    SELECT get_byte(digest, 0), $2::int, string_agg(substring(digest FROM 2 FOR 7), ''::bytea) FROM digested GROUP BY 1
)
SELECT count(*) FILTER (WHERE kind = 0) AS tasks, count(*) FILTER (WHERE kind <> 0) AS sessions FROM gone
