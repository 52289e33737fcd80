-- What was just copied has no statistics, and a few rows at the end of a stream are looked for in it.
SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off
