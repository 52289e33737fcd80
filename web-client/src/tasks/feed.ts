import { Refusal, type TaskListChange } from '../server/api';

const AGAIN_MS = 1_000; // after a connection has broken
const SELDOM_MS = 10_000; // if the server has no place for another client

/** The requests of a followed list, so that a test can answer them. */
export interface FeedRequests {
  changes(signal: AbortSignal, answered: () => void): AsyncGenerator<TaskListChange, void>;
}

/** What a followed list hears. */
export interface FeedListener {
  /** The list must be read: it is followed from now on, or more has changed than the server sent. */
  stale(): void;
  changed(change: TaskListChange): void;
  failed(refusal: Refusal): void;
}

/** Follows a list of tasks while its page is visible: a browser has only six connections for a server. */
export class ListFeed {
  readonly #requests: FeedRequests;
  readonly #listener: FeedListener;
  #closed = false;
  #connection = new AbortController();
  #wake: (() => void) | undefined;
  #isPaused = false;

  constructor(requests: FeedRequests, listener: FeedListener) {
    this.#requests = requests;
    this.#listener = listener;
  }

  async run(): Promise<void> {
    while (!this.#closed) {
      if (this.#isPaused) {
        await this.#until(Infinity);
        continue;
      }
      this.#connection = new AbortController();
      const { signal } = this.#connection;
      let wait = AGAIN_MS;
      try {
        for await (const change of this.#requests.changes(signal, () => this.#listener.stale())) {
          if (change.tasks === undefined) this.#listener.stale();
          else this.#listener.changed(change);
        }
      } catch (refused) {
        if (signal.aborted) continue; // paused, or another list
        const refusal = refused instanceof Refusal ? refused : new Refusal(0, 'The connection to the server broke.');
        if (refusal.status === 503) {
          this.#listener.stale();
          wait = SELDOM_MS;
        } else {
          this.#listener.failed(refusal);
          if (!refusal.passes) await this.#until(Infinity);
        }
      }
      if (!signal.aborted) await this.#until(wait);
    }
  }

  pause(pauses: boolean): void {
    if (pauses === this.#isPaused) return;
    this.#isPaused = pauses;
    this.restart();
  }

  /** Follows the list that is wanted now. */
  restart(): void {
    this.#connection.abort();
    this.#wake?.();
  }

  close(): void {
    this.#closed = true;
    this.restart();
  }

  async #until(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = ms === Infinity ? undefined : setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
