ANALYZE staying
