import { element } from '../page/element';
import type { Task } from '../server/api';
import { newRow, type Row, type RowHost } from './row';

/** The rows of one page of the list. Away from the view, the page has no rows and keeps its height. */
export class PageRows {
  readonly root = element('ol', { role: 'presentation' });
  readonly #host: RowHost;
  readonly #rows = new Map<string, Row>();
  /** Whether the server may have newer rows than these. */
  isStale = true;
  #tasks: readonly Task[] = [];
  #near: boolean;
  #height: number;

  /** @param height of a page that was drawn before, which is filled when it comes near the view; 0 for a new one */
  constructor(host: RowHost, height: number) {
    this.#host = host;
    this.#height = height;
    this.#near = height === 0;
    if (!this.#near) this.root.style.height = `${height}px`;
  }

  get isNear(): boolean {
    return this.#near;
  }

  get height(): number {
    return this.#near ? this.root.getBoundingClientRect().height : this.#height;
  }

  show(tasks: readonly Task[]): void {
    this.#tasks = tasks;
    if (this.#near) this.#fill();
  }

  /** Adds or removes the rows as the page comes near the view or leaves it. A page with the focus keeps its rows. */
  comes(near: boolean): void {
    if (near === this.#near || (!near && this.root.contains(document.activeElement))) return;
    if (near) {
      this.#near = true;
      this.#fill();
    } else {
      this.#height = this.height;
      this.#near = false;
      this.root.style.height = `${this.#height}px`;
      this.#rows.clear();
      this.root.replaceChildren();
    }
  }

  /** Updates the times. */
  tick(now: number): void {
    if (this.#near) for (const task of this.#tasks) this.#rows.get(task.task_id)?.update(task, now);
  }

  #fill(): void {
    const wanted = new Set(this.#tasks.map((task) => task.task_id));
    for (const [id, row] of this.#rows) {
      if (wanted.has(id)) continue;
      row.root.remove();
      this.#rows.delete(id);
    }
    const now = Date.now();
    this.#tasks.forEach((task, at) => {
      const row = this.#rows.get(task.task_id) ?? newRow(task, this.#host);
      this.#rows.set(task.task_id, row);
      // Rows are not moved unnecessarily, so that focus and pointer stay on theirs.
      if (this.root.children[at] !== row.root) this.root.insertBefore(row.root, this.root.children[at] ?? null);
      row.update(task, now);
    });
    this.root.style.height = '';
  }
}
