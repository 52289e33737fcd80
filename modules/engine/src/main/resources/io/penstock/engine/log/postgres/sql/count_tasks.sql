-- Counts the tasks of list_tasks, with its parameters; $6 is how many of the newest are counted.
SELECT phase, outcome, count(*) AS tasks FROM (
@list_tasks
) AS newest
GROUP BY phase, outcome
