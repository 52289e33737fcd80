SELECT task_id FROM task WHERE pinned
