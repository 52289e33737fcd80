-- $1 removals before this time, $2 the most ids that are remembered: the newest
WITH counted AS (
    SELECT removal_no, at_ms, sum(tasks + sessions) OVER (ORDER BY removal_no DESC) AS ids FROM removal
), old AS (
    DELETE FROM removal USING counted
    WHERE removal.removal_no = counted.removal_no AND (counted.at_ms < $1::bigint OR counted.ids > $2::bigint)
    RETURNING removal.removal_no
)
DELETE FROM removed_id USING old WHERE removed_id.removal_no = old.removal_no
