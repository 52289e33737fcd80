-- $1 node_id, $2 the journal's first position, where a node that is unknown here begins
-- Raises the epoch, so that whatever an earlier process of this node still sends is refused, and notifies that process, which
-- would otherwise accept what comes until it sends something.
WITH known AS (
    UPDATE node SET epoch = epoch + 1, started_at = now() WHERE node_id = $1::uuid
    RETURNING node_no, epoch, drained
), new AS (
    -- Only when unknown: an INSERT that meets a conflict would use up a number at every start.
    INSERT INTO node (node_id, epoch, drained, started_at)
    SELECT $1::uuid, 1, $2::bigint, now() WHERE NOT EXISTS (SELECT FROM known)
    ON CONFLICT (node_id) DO UPDATE SET epoch = node.epoch + 1, started_at = now()
    RETURNING node_no, epoch, drained
), claimed AS (
    SELECT node_no, epoch, drained FROM known UNION ALL SELECT node_no, epoch, drained FROM new
)
SELECT node_no, epoch, drained FROM claimed, pg_notify('penstock_claims', current_schema())
