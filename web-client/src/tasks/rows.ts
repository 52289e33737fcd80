import { element } from '../page/element';
import type { Task } from '../server/api';
import type { LastLines } from './last-line';
import { newRow, type Row } from './row';

/** The rows of one page of the list. Away from the view, the page has no rows and keeps its height. */
export class PageRows {
  readonly root = element('ol', { role: 'presentation' });
  readonly #lastLines: LastLines;
  readonly #rows = new Map<string, Row>();
  #tasks: readonly Task[] = [];
  #near = true;

  constructor(lastLines: LastLines) {
    this.#lastLines = lastLines;
  }

  get isNear(): boolean {
    return this.#near;
  }

  show(tasks: readonly Task[]): void {
    const ids = new Set(tasks.map((task) => task.task_id));
    for (const { task_id: id } of this.#tasks) if (!ids.has(id)) this.#lastLines.forget(id);
    this.#tasks = tasks;
    if (this.#near) this.#fill();
  }

  /** Adds or removes the rows as the page comes near the view or leaves it. A page with the focus keeps its rows. */
  comes(near: boolean): void {
    if (near === this.#near || (!near && this.root.contains(document.activeElement))) return;
    this.#near = near;
    if (near) {
      this.#fill();
    } else {
      this.root.style.height = `${this.root.getBoundingClientRect().height}px`;
      this.#rows.clear();
      this.root.replaceChildren();
    }
  }

  /** Updates the time of running tasks. */
  tick(now: number): void {
    if (this.#near) for (const task of this.#tasks) if (task.ended_at_ms === null) this.#draw(task, now);
  }

  draw(task: Task): void {
    this.#draw(task, Date.now());
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
      const row = this.#rows.get(task.task_id) ?? newRow(task);
      this.#rows.set(task.task_id, row);
      // Rows are not moved unnecessarily, so that focus and pointer stay on theirs.
      if (this.root.children[at] !== row.root) this.root.insertBefore(row.root, this.root.children[at] ?? null);
      this.#draw(task, now);
    });
    this.root.style.height = '';
  }

  #draw(task: Task, now: number): void {
    this.#rows.get(task.task_id)?.update(task, this.#lastLines.of(task), now);
  }
}
