import type { Channel } from '../frames/frames';
import { shown } from '../log/lines';
import { outputRange, type Task } from '../server/api';

const TAIL_BYTES = 1024;
const AT_ONCE = 6; // asked for: as many as a browser has connections
const ANSWER_WITHIN_MS = 5_000;

// eslint-disable-next-line no-control-regex
const PAINTS = /\x1b\[[0-9;]*[Hf]|\x1b\[\?1049h/; // puts its text anywhere, so that no line is the last

/** The last line with something in it; none of what paints a whole screen. */
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

/** What the tasks of a list have written last, asked for when they have written more. */
export class LastLines {
  readonly #known = new Map<string, { written: number; line: string }>();
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
    return placeOf(task)?.written !== this.#known.get(task.task_id)?.written;
  }

  async #ask(task: Task): Promise<void> {
    const place = placeOf(task);
    if (place === undefined) {
      this.forget(task.task_id);
      return;
    }
    const { channel, written } = place;
    const enough = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    try {
      const tail = await outputRange(task.task_id, channel, Math.max(0, written - TAIL_BYTES), written, enough);
      this.#known.set(task.task_id, { written, line: lastLineOf(new TextDecoder().decode(tail)) });
      this.#changed(task);
    } catch {
      this.#known.set(task.task_id, { written, line: '' }); // kept no longer, or asked for again when there is more
    }
  }
}

function placeOf(task: Task): { channel: Channel; written: number } | undefined {
  const logs = Object.entries(task.artifacts?.logs ?? {}) as [Channel, { bytes_stored: number }][];
  const [channel, log] = logs.find(([, each]) => each.bytes_stored > 0) ?? [];
  return channel === undefined || log === undefined ? undefined : { channel, written: log.bytes_stored };
}
