import type { Channel, Frame, Json, TaskWatcherHit } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { events, Refusal, type Task } from '../server/api';
import { listWatchers, type Watcher } from '../server/watchers';
import { LineMap } from './line-map';

/** Frames that are read at once: some 10 MB. A watcher's hits before them are read on request. */
const WINDOW_FRAMES = 20_000;
const AGAIN_MS = 2_000; // after a failure that passes
/** Requests that one search for watchers may take: each covers 50,000 frames. */
const FEW_SEARCHES = 3; // when the task is opened
const MOST_SEARCHES = 40; // when its watchers are

export interface Hit {
  readonly seq: number;
  readonly at: number;
  readonly watcher: string;
  readonly event: string;
  readonly channel: Channel;
  readonly offset: number;
  readonly matched: string;
  /** The frame with the last byte of the match. */
  readonly frameSeq: number;
}

/** The requests for a task's watchers and frames, so that a test can answer them. */
export interface HitRequests {
  watchers(fromSeq: number): ReturnType<typeof listWatchers>;
  events(fromSeq: number, signal: AbortSignal): AsyncGenerator<Json>;
}

export function hitRequestsOf(id: string): HitRequests {
  return {
    watchers: (fromSeq) => listWatchers(id, fromSeq),
    events: (fromSeq, signal) => events(id, fromSeq, signal),
  };
}

/** The watchers of a task and their hits. Of a task without watchers, no frame is read. */
export class Hits {
  readonly #requests: HitRequests;
  readonly #changed: () => void;
  readonly #stop = new AbortController();
  readonly #watchers = new Map<string, Watcher>();
  readonly #counts = new Map<string, number>();
  readonly #lines = new Map<Channel, LineMap>();
  #hits: Hit[] = [];
  #searched: number | undefined; // frames before it were searched for watchers
  #first = 0; // the first frame that is read for hits
  #next: number | undefined; // the next one; undefined before the first watcher is known
  #end = 0; // the frames before it are to be read
  #reading = false;

  constructor(requests: HitRequests, changed: () => void) {
    this.#requests = requests;
    this.#changed = changed;
  }

  get watchers(): readonly Watcher[] {
    return [...this.#watchers.values()];
  }

  /** In the order of their frames. */
  get all(): readonly Hit[] {
    return this.#hits;
  }

  countOf(watcherId: string): number {
    return this.#counts.get(watcherId) ?? 0;
  }

  /** The first frame that was read, if hits may lie before it; else null. */
  get unreadBefore(): number | null {
    const firstWatcher = Math.min(...this.watchers.map(({ seq }) => seq));
    return this.#next !== undefined && firstWatcher < this.#first ? this.#first : null;
  }

  /** The line of a hit, counted from 1; approximate in frames of several lines, null where the frames do not tell. */
  lineOf({ channel, offset }: Hit): number | null {
    return this.#lines.get(channel)?.lineAt(offset) ?? null;
  }

  /** Reads what came since, up to the task's newest frame; tries again after a failure that passes. */
  async read({ next_seq: end }: Pick<Task, 'next_seq'>): Promise<void> {
    this.#end = Math.max(this.#end, end);
    if (this.#reading) return;
    this.#reading = true;
    try {
      while (!this.#stop.signal.aborted && !(await this.#readOnce()));
    } finally {
      this.#reading = false;
    }
  }

  /** Whether nothing is left to read. */
  async #readOnce(): Promise<boolean> {
    try {
      if (this.#searched === undefined) await this.#search(this.#end, FEW_SEARCHES);
      const first = this.watchers[0];
      if (first === undefined) return true;
      this.#next ??= this.#first = Math.max(first.seq, this.#end - WINDOW_FRAMES);
      if (this.#next >= this.#end) return true;
      for await (const frame of this.#frames(this.#next, this.#end)) {
        this.#take(frame, this.#hits, this.#lines);
        this.#next = frame.frame.seq + 1;
      }
      this.#changed();
    } catch (refused) {
      if (this.#stop.signal.aborted) return true;
      if (!(refused instanceof Refusal) || !refused.passes) throw refused;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
    return false;
  }

  /** Searches the rest of a long record for watchers. */
  async searchAll({ next_seq: end }: Pick<Task, 'next_seq'>): Promise<void> {
    if ((this.#searched ?? 0) < end) await this.#search(end, MOST_SEARCHES);
  }

  /** A watcher was added; its hits come with the next frames that are read. */
  add(watcher: Watcher): void {
    if (this.#watchers.has(watcher.watcher_id)) return;
    this.#watchers.set(watcher.watcher_id, watcher);
    this.#changed();
  }

  /** Reads the hits before those that are known. */
  async readEarlier(): Promise<void> {
    const end = this.unreadBefore;
    if (end === null || this.#reading) return;
    this.#reading = true;
    try {
      const from = Math.max(0, end - WINDOW_FRAMES);
      const earlier: Hit[] = [];
      const lines = new Map<Channel, LineMap>();
      for await (const frame of this.#frames(from, end)) this.#take(frame, earlier, lines);
      this.#hits = [...earlier, ...this.#hits];
      for (const [channel, map] of this.#lines) map.prepend(lines.get(channel) ?? new LineMap());
      this.#first = from;
      this.#changed();
    } finally {
      this.#reading = false;
    }
  }

  close(): void {
    this.#stop.abort();
  }

  /** Further watchers come with the frames that are followed. */
  async #search(end: number, requests: number): Promise<void> {
    for (let left = requests; left > 0; left--) {
      const { watchers, next_seq } = await this.#requests.watchers(this.#searched ?? 0);
      for (const watcher of watchers) this.#watchers.set(watcher.watcher_id, watcher);
      this.#searched = next_seq ?? end;
      if (watchers.length > 0) this.#changed();
      if (next_seq === null) return;
    }
  }

  async *#frames(from: number, end: number): AsyncGenerator<Frame, void> {
    const enough = new AbortController();
    try {
      for await (const json of this.#requests.events(from, AbortSignal.any([this.#stop.signal, enough.signal]))) {
        if (this.#stop.signal.aborted) return;
        const frame = readFrame(json);
        if (frame.frame.seq < end) yield frame;
        if (frame.frame.seq >= end - 1) return;
      }
    } finally {
      enough.abort();
    }
  }

  #take({ known, frame }: Frame, hits: Hit[], lines: Map<Channel, LineMap>): void {
    if (!known) return;
    if (frame.type === 'task_watcher_hit') {
      hits.push(hitOf(frame));
      this.#counts.set(frame.watcher_id, this.countOf(frame.watcher_id) + 1);
    } else if (frame.type === 'task_watcher_added') {
      const { watcher_id, regex, event, stream, once, scope, actor: added_by, seq } = frame;
      this.#watchers.set(watcher_id, { watcher_id, regex, event, stream, once, scope, added_by, seq });
    } else if (frame.type === 'tool_task_output_delta') {
      const map = lines.get(frame.stream) ?? new LineMap();
      map.add(frame.artifacts.log);
      lines.set(frame.stream, map);
    }
  }
}

function hitOf(frame: TaskWatcherHit): Hit {
  const { seq, event, matched } = frame;
  return {
    seq,
    at: frame.timestamp_ms,
    watcher: frame.watcher_id,
    event,
    channel: frame.stream,
    offset: frame.offset_bytes,
    matched,
    frameSeq: frame.frame_seq,
  };
}
