import { element, say } from '../page/element';
import { taskAddress } from '../route';
import { listTasks, Refusal, taskOf, type Page, type Task } from '../server/api';
import { moodOf, nameOf, stateOf } from '../tasks/words';

const ASK_EVERY_MS = 3_000;
const NEWEST = '200'; // children, or tasks of the batch, that are shown: one page
const MOST_ASKED = 20; // children that are asked for one by one, because they have another parent or session
const NONE: Page<Task> = { rows: [], next: null };

interface Link {
  readonly root: HTMLElement;
  show(task: Task): void;
}

/** The tasks that belong to an agent task: the parent, its children, and the others of its batch, with their states. */
export class Relatives {
  readonly root = element('div', { className: 'relatives', hidden: true });
  readonly #task: Task;
  readonly #children: ReadonlySet<string>;
  readonly #groups = {
    parent: new Group('Parent'),
    children: new Group('Children'),
    batch: new Group('Batch'),
  };
  readonly #timer: ReturnType<typeof setInterval>;
  #isAsking = false;
  #isOver = false;

  /** @param children tasks that tool calls name, which may be of another session */
  constructor(task: Task, children: ReadonlySet<string>) {
    this.#task = task;
    this.#children = children;
    this.root.append(...Object.values(this.#groups).map(({ root }) => root));
    this.#timer = setInterval(() => void (document.visibilityState === 'visible' && this.#ask()), ASK_EVERY_MS);
    void this.#ask();
  }

  close(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  async #ask(): Promise<void> {
    if (this.#isAsking || this.#isOver) return;
    this.#isAsking = true;
    const { task_id: id, parent_task_id: parent, batch, origin_session_id: session } = this.#task;
    try {
      const [children, batched] = await Promise.all([
        listTasks({ parent: id, limit: NEWEST }),
        batch == null ? NONE : listTasks({ session: session ?? '', batch, limit: NEWEST }),
      ]);
      const known = new Map([...children.rows, ...batched.rows].map((each) => [each.task_id, each]));
      const others = [...(parent === null ? [] : [parent]), ...this.#children].filter((each) => !known.has(each));
      for (const other of await Promise.all(others.slice(-MOST_ASKED).map((each) => taskOf(each).catch(() => null))))
        if (other !== null) known.set(other.task_id, other);
      if (this.#isOver) return;
      const all = [...known.values()];
      this.#groups.parent.show(all.filter((each) => each.task_id === parent));
      this.#groups.children.show(
        all.filter((each) => each.parent_task_id === id || this.#children.has(each.task_id)),
        '',
        children.next !== null,
      );
      const inBatch = batched.rows.filter((each) => each.task_id !== id);
      this.#groups.batch.show(inBatch, batch ?? '', batched.next !== null);
      this.root.hidden = Object.values(this.#groups).every(({ root }) => root.hidden);
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused; // asked again soon; the connection shows that the server is unreachable
    } finally {
      this.#isAsking = false;
    }
  }
}

/** Tasks below a heading, in the order in which they came. */
class Group {
  readonly #heading = element('h2', {});
  readonly #list = element('ul', {});
  readonly root = element('section', { hidden: true }, this.#heading, this.#list);
  readonly #name: string;
  readonly #links = new Map<string, Link>();

  constructor(name: string) {
    this.#name = name;
  }

  /** @param hasMore whether these are only the newest of more */
  show(tasks: readonly Task[], called = '', hasMore = false): void {
    this.root.hidden = tasks.length === 0;
    const title = called === '' ? this.#name : `${this.#name} ${called}`;
    say(this.#heading, hasMore ? `${title} (the newest ${tasks.length})` : title);
    for (const task of tasks.toReversed()) {
      let link = this.#links.get(task.task_id);
      if (link === undefined) {
        link = linkTo(task.task_id);
        this.#links.set(task.task_id, link);
        this.#list.append(link.root);
      }
      link.show(task);
    }
  }
}

function linkTo(id: string): Link {
  const state = element('span', { className: 'state' });
  const name = element('span', { className: 'name' });
  const root = element('li', {}, element('a', { href: taskAddress(id) }, state, name));
  return {
    root,
    show: (task) => {
      state.dataset['mood'] = moodOf(task);
      say(state, stateOf(task));
      say(name, nameOf(task));
    },
  };
}
