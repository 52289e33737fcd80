-- $1 version, $2 name, $3 checksum
INSERT INTO schema_version (version, name, checksum) VALUES ($1::int, $2::text, $3::text)
