-- $1 node_no, $2 epoch; no row when another process has taken over the node
SELECT drained FROM node WHERE node_no = $1::int AND epoch = $2::bigint
