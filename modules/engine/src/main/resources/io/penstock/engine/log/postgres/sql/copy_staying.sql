INSERT INTO {kept}
SELECT frame.* FROM staying JOIN frame ON frame.stream_no = staying.stream_no
WHERE frame.stream_no < {below}
