SELECT version, name, checksum FROM schema_version ORDER BY version
