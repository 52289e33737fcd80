import type { Channel } from '../frames/frames';
import { shown } from '../log/lines';
import { outputRange, type Task } from '../server/api';

const TAIL_BYTES = 1024;
const AT_ONCE = 6; // requests, as many as a browser has connections
const ANSWER_WITHIN_MS = 5_000;

// eslint-disable-next-line no-control-regex
const PAINTS = /\x1b\[[0-9;]*[Hf]|\x1b\[\?1049h/; // moves the cursor anywhere, so that no line is the last

/** The last line that is not empty; empty for output that paints a whole screen. */
export function lastLineOf(tail: string): string {
  if (PAINTS.test(tail)) return '';
  const lines = tail.split('\n').map((line) =>
    shown(line)
      .map(({ text }) => text)
      .join('')
      .trim(),
  );
  return lines.findLast((line) => line !== '') ?? '';
}

type Written = Partial<Record<Channel, number>>;

interface Known {
  readonly written: Written;
  readonly outcome: Task['outcome'];
  readonly channel: Channel | undefined;
  readonly line: string;
}

/** The last output line of each task in a list, fetched again when the task has written more. */
export class LastLines {
  readonly #known = new Map<string, Known>();
  readonly #changed: (task: Task) => void;
  readonly #stop = new AbortController();
  #wanted: readonly Task[] = [];
  #asking = false;

  constructor(changed: (task: Task) => void) {
    this.#changed = changed;
  }

  of(task: Task): string {
    return this.#known.get(task.task_id)?.line ?? '';
  }

  forget(id: string): void {
    this.#known.delete(id);
  }

  async look(tasks: readonly Task[]): Promise<void> {
    this.#wanted = tasks;
    if (this.#asking) return;
    this.#asking = true;
    for (;;) {
      const stale = this.#wanted.filter((task) => this.#isStale(task)).slice(0, AT_ONCE);
      if (stale.length === 0 || this.#stop.signal.aborted) break;
      await Promise.all(stale.map(async (task) => this.#ask(task)));
    }
    this.#asking = false;
  }

  close(): void {
    this.#stop.abort();
  }

  #isStale(task: Task): boolean {
    const known = this.#known.get(task.task_id);
    const now = writtenOf(task);
    const channels = Object.keys({ ...known?.written, ...now }) as Channel[];
    return known?.outcome !== task.outcome || channels.some((channel) => known?.written[channel] !== now[channel]);
  }

  async #ask(task: Task): Promise<void> {
    const { outcome } = task;
    const written = writtenOf(task);
    const before = this.#known.get(task.task_id);
    const channel = lastChannel(task, before?.written ?? {}, before?.channel);
    if (channel === undefined) {
      this.#known.set(task.task_id, { written, outcome, channel, line: '' });
      return;
    }
    const end = written[channel] ?? 0;
    const enough = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    try {
      const tail = await outputRange(task.task_id, channel, Math.max(0, end - TAIL_BYTES), end, enough);
      this.#known.set(task.task_id, { written, outcome, channel, line: lastLineOf(new TextDecoder().decode(tail)) });
      this.#changed(task);
    } catch {
      this.#known.set(task.task_id, { written, outcome, channel, line: '' }); // removed, or fetched again when there is more
    }
  }
}

function writtenOf(task: Pick<Task, 'artifacts'>): Written {
  const logs = Object.entries(task.artifacts?.logs ?? {}).filter(([, log]) => log.bytes_stored > 0);
  return Object.fromEntries(logs.map(([channel, log]) => [channel, log.bytes_stored]));
}

/** The channel with the most telling last line: stderr of a failed task; else the channel that has grown, or the shown one. */
export function lastChannel(task: Pick<Task, 'artifacts' | 'outcome'>, before: Written, shown?: Channel): Channel | undefined {
  const written = writtenOf(task);
  const channels = Object.keys(written) as Channel[];
  if (task.outcome === 'nonzero' && written.stderr !== undefined) return 'stderr';
  const grown = channels.filter((channel) => channel in before && written[channel] !== before[channel]);
  const fresh = channels.filter((channel) => Object.keys(before).length > 0 && !(channel in before));
  return fresh[0] ?? grown[0] ?? shown ?? channels[0];
}
