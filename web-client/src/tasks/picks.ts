import { button, element, say } from '../page/element';
import { askFirst } from '../page/help';
import { cancelTask, deleteOutputs, Refusal, removeTask, type Task } from '../server/api';

const AT_ONCE = 6; // requests, as many as a browser has connections

/** The rows that a user has chosen to act on together. */
export class Picks {
  readonly #ids = new Set<string>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get size(): number {
    return this.#ids.size;
  }

  get ids(): readonly string[] {
    return [...this.#ids];
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  toggle(id: string, on = !this.#ids.has(id)): void {
    if (on) this.#ids.add(id);
    else this.#ids.delete(id);
    this.#changed();
  }

  /** Forgets tasks that are not in the list any more. */
  retain(ids: ReadonlySet<string>): void {
    const before = this.#ids.size;
    for (const id of this.#ids) if (!ids.has(id)) this.#ids.delete(id);
    if (this.#ids.size !== before) this.#changed();
  }

  clear(): void {
    this.#ids.clear();
    this.#changed();
  }
}

/** What can be done with the chosen rows. It takes the place of the filters. */
export class PickedBar {
  readonly root: HTMLElement;
  readonly #picks: Picks;
  readonly #taskOf: (id: string) => Task | undefined;
  readonly #complain: (message: string) => void;
  readonly #removed: (id: string) => void;
  readonly #count = element('b', { role: 'status' });
  readonly #stop = button('Stop', { className: 'danger' }, () => this.#askStop());
  readonly #delete = button('Delete outputs', {}, () => this.#askDelete());
  readonly #remove = button('Remove', {}, () => this.#askRemove());

  /** @param removed is called for each task that is removed */
  constructor(
    picks: Picks,
    taskOf: (id: string) => Task | undefined,
    complain: (message: string) => void,
    removed: (id: string) => void,
  ) {
    this.#picks = picks;
    this.#taskOf = taskOf;
    this.#complain = complain;
    this.#removed = removed;
    const clear = button('Cancel', { className: 'bare', title: 'Choose no row (Esc)' }, () => this.#done());
    this.root = element('div', { className: 'picked', hidden: true }, this.#count, this.#stop, this.#delete, this.#remove, clear);
  }

  show(): void {
    const { size } = this.#picks;
    this.root.hidden = size === 0;
    this.root.parentElement?.classList.toggle('picking', size > 0);
    say(this.#count, size === 0 ? '' : `${size} selected`);
    this.#stop.disabled = this.#those(false).length === 0;
    this.#delete.disabled = this.#remove.disabled = this.#those(true).length === 0;
  }

  #those(ended: boolean): Task[] {
    return this.#picks.ids.flatMap((id) => this.#taskOf(id) ?? []).filter((task) => (task.outcome !== null) === ended);
  }

  #askStop(): void {
    const tasks = this.#those(false);
    askFirst(`Stop ${counted(tasks)}?`, names(tasks), 'Stop', () => {
      void this.#each(tasks, (task) => cancelTask(task.task_id, 'stopped in the browser'));
    });
  }

  #askDelete(): void {
    const tasks = this.#those(true);
    askFirst(`Delete the outputs of ${counted(tasks)}?`, `${names(tasks)}\n\nTheir records stay.`, 'Delete outputs', () => {
      void this.#each(tasks, deleteOutputs);
    });
  }

  #askRemove(): void {
    const tasks = this.#those(true);
    askRemove(tasks, () => {
      void this.#each(tasks, async ({ task_id: id }) => {
        await removeTask(id);
        this.#removed(id);
      });
    });
  }

  async #each(tasks: readonly Task[], act: (task: Task) => Promise<void>): Promise<void> {
    const left = [...tasks];
    const refused: string[] = [];
    const work = async (): Promise<void> => {
      for (let task = left.shift(); task !== undefined; task = left.shift()) {
        await act(task).catch((why: unknown) => {
          if (!(why instanceof Refusal)) throw why;
          refused.push(why.message);
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    this.#done();
    if (refused.length > 0) this.#complain(`${refused.length} of ${tasks.length} failed: ${refused[0]}`);
  }

  #done(): void {
    const boxes = document.querySelectorAll<HTMLInputElement>('.pick:checked');
    for (const box of boxes) box.checked = false;
    this.#picks.clear();
  }
}

/** Asks whether ended tasks are to be removed. */
export function askRemove(tasks: readonly Task[], remove: () => void): void {
  if (document.querySelector('dialog[open]') !== null) return;
  const [it, its] = tasks.length === 1 ? ['it', 'its'] : ['them', 'their'];
  askFirst(`Remove ${counted(tasks)}?`, `${names(tasks)}\n\nThis takes ${it} off the lists and deletes ${its} output.`, 'Remove', remove);
}

function counted(tasks: readonly Task[]): string {
  return tasks.length === 1 ? '1 task' : `${tasks.length} tasks`;
}

const NAMED = 12;

function names(tasks: readonly Task[]): string {
  const shown = tasks.slice(0, NAMED).map((task) => task.title ?? task.task_id);
  return [...shown, ...(tasks.length > NAMED ? [`and ${tasks.length - NAMED} more`] : [])].join('\n');
}
