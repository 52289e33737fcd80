import type { Task } from '../server/api';
import { endOf, nameOf } from '../tasks/words';

const BUSY_MS = 10_000; // a program that waits again sooner was answered at once

/** Tells when a task that is looked at, or was, ends or begins to wait for input. */
export class TaskNotices {
  readonly #notify: (title: string, body: string, tag: string) => void;
  readonly #now: () => number;
  #phase: Task['phase'] | undefined;
  #isOver: boolean | undefined;
  #busySince: number;

  constructor(notify: (title: string, body: string, tag: string) => void, now: () => number = () => performance.now()) {
    this.#notify = notify;
    this.#now = now;
    this.#busySince = now();
  }

  update(task: Task): void {
    const isOver = task.outcome !== null;
    const before = this.#phase;
    if (this.#isOver === false && isOver) this.#notify(nameOf(task), endOf(task), task.task_id);
    else if (!isOver && before !== undefined && before !== 'awaiting_input' && task.phase === 'awaiting_input' && this.#now() - this.#busySince >= BUSY_MS)
      this.#notify(nameOf(task), 'Waiting for input', task.task_id);
    if (task.phase !== before) this.#busySince = this.#now();
    this.#phase = task.phase;
    this.#isOver = isOver;
  }
}
