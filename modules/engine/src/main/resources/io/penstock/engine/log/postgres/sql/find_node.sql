-- $1 node_id; no row for a node that is new here
SELECT node_no, epoch, drained FROM node WHERE node_id = $1::uuid
