import type { Join } from '../attach/attachment';
import type { Channel } from '../frames/frames';
import type { Task } from '../server/api';
import { outputBytes } from '../tasks/words';

const WHOLE_BYTES = 4 * 1024 * 1024; // output up to this size is shown from its beginning
const TAIL_BYTES = 1024 * 1024; // of a larger one, its end is shown

/** The place from which a log is shown. Of an output that was cut, only the beginning was kept. */
export function joinOf(task: Task): Join {
  const cut = Object.values(task.artifacts.logs).some((log) => log.truncated);
  return cut || outputBytes(task) <= WHOLE_BYTES ? { from_seq: 0 } : { tail_bytes: TAIL_BYTES };
}

/** The channel to show first: that of an ended task whose other channel is empty, if both together would show only the end. */
export function opensOf(task: Task): Channel | null {
  const written = Object.entries(task.artifacts?.logs ?? {}).filter(([, log]) => log.bytes_total > 0);
  const [only] = written;
  if (task.outcome === null || written.length !== 1 || only === undefined || !('tail_bytes' in joinOf(task))) return null;
  return only[0] as Channel;
}
