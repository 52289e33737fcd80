import type { Task, TaskPage } from '../server/api';

const MOST_FETCHED = 20; // pages that came in between since one was looked at; beyond, what follows is let go

/** The newest tasks, in pages that are each looked at anew on their own: so a list of thousands costs what is in view. */
export class Pages {
  readonly #ask: (cursor: string) => Promise<TaskPage>;
  #pages: { readonly from: string; tasks: readonly Task[] }[] = [{ from: '', tasks: [] }];
  #next: string | null = null;

  /** @param ask for the page that a cursor begins; an empty one begins the list */
  constructor(ask: (cursor: string) => Promise<TaskPage>) {
    this.#ask = ask;
  }

  get pages(): readonly (readonly Task[])[] {
    return this.#pages.map(({ tasks }) => tasks);
  }

  /** Whether there are older ones than it has. */
  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** Looks at one page anew: all from its first to where the next page begins. */
  async refresh(at: number): Promise<void> {
    const page = this.#pages[at];
    if (page === undefined) return;
    const later = new Set(this.#pages.slice(at + 1).flatMap(({ tasks }) => tasks.map((task) => task.task_id)));
    const found: Task[] = [];
    let from = page.from;
    for (let fetched = 1; ; fetched++) {
      const { tasks, next } = await this.#ask(from);
      const end = tasks.findIndex((task) => later.has(task.task_id));
      found.push(...(end < 0 ? tasks : tasks.slice(0, end)));
      page.tasks = found;
      if (end >= 0) return;
      if (next === null || later.size === 0 || fetched === MOST_FETCHED) {
        this.#pages.length = at + 1;
        this.#next = next;
        return;
      }
      from = next;
    }
  }

  /** Adds the next page. */
  async more(): Promise<void> {
    if (this.#next === null) return;
    const from = this.#next;
    const { tasks, next } = await this.#ask(from);
    this.#pages.push({ from, tasks });
    this.#next = next;
  }
}
