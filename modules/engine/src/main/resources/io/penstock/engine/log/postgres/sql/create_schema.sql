-- Asks first: IF NOT EXISTS would want the right to create even where there is nothing to do.
DO $$
BEGIN
    IF to_regnamespace('{schema}') IS NULL THEN
        CREATE SCHEMA {schema};
    END IF;
    IF to_regclass('{schema}.schema_version') IS NULL THEN
        CREATE TABLE {schema}.schema_version (
            version    int         NOT NULL PRIMARY KEY,
            name       text        NOT NULL,
            checksum   text        NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        );
    END IF;
END
$$
