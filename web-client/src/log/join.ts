import type { Join } from '../attach/attachment';
import type { Channel } from '../frames/frames';
import type { Task } from '../server/api';
import { outputBytes } from '../tasks/words';

const WHOLE_BYTES = 4 * 1024 * 1024; // output that is shown from its beginning
const TAIL_BYTES = 1024 * 1024; // and of more than that, its end

/** From where a log is shown. Of an output that was cut, only the beginning was kept. */
export function joinOf(task: Task): Join {
  const cut = Object.values(task.artifacts.logs).some((log) => log.truncated);
  return cut || outputBytes(task) <= WHOLE_BYTES ? { from_seq: 0 } : { tail_bytes: TAIL_BYTES };
}

/** The one channel to show at first: of a task that has ended, that of which both together would show the end only, where the other is empty. */
export function opensOf(task: Task): Channel | null {
  const written = Object.entries(task.artifacts?.logs ?? {}).filter(([, log]) => log.bytes_total > 0);
  const [only] = written;
  if (task.outcome === null || written.length !== 1 || only === undefined || !('tail_bytes' in joinOf(task))) return null;
  return only[0] as Channel;
}
