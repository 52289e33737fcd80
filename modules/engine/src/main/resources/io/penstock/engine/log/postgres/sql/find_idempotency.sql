-- $1 principal, $2 key, $3 the first day whose claims still count
SELECT day, fingerprint, answer, at_ms FROM idempotency
WHERE principal = $1::text AND key = $2::text AND day >= $3::int
ORDER BY day DESC
LIMIT 1
