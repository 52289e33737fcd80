-- $1 stream_nos of a page of the list, $2 whether each has ended, $3 and $4 the smallest and the largest of the numbers: with them,
-- Postgres looks at the partitions of these days only
-- The frames that say what rows of the list do not: the first, and the one that told the end.
SELECT page.stream_no,
       coalesce((SELECT seq + 1 FROM frame
                 WHERE frame.stream_no = page.stream_no AND frame.stream_no BETWEEN $3::bigint AND $4::bigint
                 ORDER BY seq DESC LIMIT 1), 0) AS next_seq,
       (SELECT body FROM frame
        WHERE frame.stream_no = page.stream_no AND frame.stream_no BETWEEN $3::bigint AND $4::bigint
          AND seq = 0 AND type = 1) AS spawned,
       CASE WHEN page.ended THEN
           (SELECT body FROM frame
            WHERE frame.stream_no = page.stream_no AND frame.stream_no BETWEEN $3::bigint AND $4::bigint
              AND type = 2
            ORDER BY seq DESC LIMIT 1)
       END AS told_end
FROM unnest($1::bigint[], $2::boolean[]) AS page (stream_no, ended)
