import { button, element, say } from '../page/element';
import { addressOf } from '../route';
import { listTasks, Refusal, STATUSES, type Task } from '../server/api';
import { LastLines } from './last-line';
import { moodOf, nameOf, outputSize, runningTime, stateOf, when } from './words';

const ASK_EVERY_MS = 2_000;
const TICK_MS = 1_000;
const PAGE = 50;
const MOST = 200; // rows that are kept up to date: the largest page of the server

export interface TaskList {
  readonly root: HTMLElement;
  search(): void;
  move(by: number): void;
  close(): void;
}

/** All tasks, newest first, kept up to date while somebody looks. */
export function taskList(start: () => void, failed: (refusal: Refusal) => void): TaskList {
  const text = element('input', {
    type: 'search',
    placeholder: 'Search titles',
    ariaLabel: 'Search titles',
    spellcheck: false,
  });
  const session = element('input', {
    type: 'text',
    placeholder: 'Session',
    ariaLabel: 'Only tasks of this session',
    spellcheck: false,
    className: 'session',
  });
  const status = element(
    'select',
    { ariaLabel: 'Status' },
    element('option', { value: '' }, 'All states'),
    ...STATUSES.map((word) => element('option', { value: word }, word)),
  );
  const note = element('p', { className: 'note', role: 'status' });
  const rows = element('ol', { className: 'rows', ariaLabel: 'Tasks' });
  const more = button('Show more', { hidden: true, className: 'more' }, () => {
    limit = Math.min(MOST, limit + PAGE);
    void refresh();
  });
  const shown = new Map<string, Row>();
  let limit = PAGE;
  let asked = 0;
  let stopped = false;
  let tasks: readonly Task[] = [];
  const lastLines = new LastLines(() => drawRows());

  const filtered = (): boolean => text.value !== '' || session.value !== '' || status.value !== '';

  async function refresh(): Promise<void> {
    const turn = ++asked;
    try {
      const page = await listTasks({
        text: text.value,
        session: session.value.trim(),
        status: status.value,
        limit: String(limit),
      });
      if (turn !== asked || stopped) return;
      show(page.tasks);
      void lastLines.look(page.tasks);
      more.hidden = page.next_cursor === null || limit >= MOST;
      root.classList.remove('stale');
    } catch (refused) {
      if (turn !== asked || stopped) return;
      if (!(refused instanceof Refusal)) throw refused;
      if (refused.status === 400) {
        show([]);
        say(note, refused.message);
        return;
      }
      root.classList.add('stale');
      failed(refused);
    }
  }

  function show(found: readonly Task[]): void {
    tasks = found;
    const wanted = new Set(tasks.map((task) => task.task_id));
    for (const [id, row] of shown) {
      if (!wanted.has(id)) {
        row.root.remove();
        shown.delete(id);
      }
    }
    tasks.forEach((task, at) => {
      const row = shown.get(task.task_id) ?? newRow(task);
      shown.set(task.task_id, row);
      // Rows stay where they are, so that focus and the pointer stay on theirs.
      if (rows.children[at] !== row.root) rows.insertBefore(row.root, rows.children[at] ?? null);
    });
    drawRows();
    empty.hidden = tasks.length > 0 || filtered();
    table.hidden = tasks.length === 0;
    say(note, tasks.length === 0 && filtered() ? 'No task is like that.' : '');
  }

  function drawRows(): void {
    const now = Date.now();
    for (const task of tasks) shown.get(task.task_id)?.update(task, lastLines.of(task), now);
  }

  const head = element(
    'div',
    { className: 'row head', ariaHidden: 'true' },
    ...['State', 'Task', 'Started', 'Time', 'Output'].map((word) => element('span', {}, word)),
  );
  const table = element('div', { className: 'table sheet', hidden: true }, head, rows);
  const empty = element(
    'div',
    { className: 'empty', hidden: true },
    element('h2', {}, 'Nothing has run here yet'),
    element('p', {}, 'Start a command: it goes on without this page, and all of its output is kept.'),
    button('Start a task', { className: 'primary' }, start),
  );
  const root = element(
    'section',
    { className: 'list' },
    element('h1', { className: 'unseen' }, 'Tasks'),
    element(
      'div',
      { className: 'filters', role: 'search' },
      text,
      status,
      session,
      button('New task', { className: 'primary', title: 'Start a task (n)' }, start),
    ),
    note,
    empty,
    table,
    more,
  );

  for (const field of [text, session, status]) field.addEventListener('input', () => void refresh());
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void refresh();
  }, ASK_EVERY_MS);
  const ticking = setInterval(drawRows, TICK_MS);
  const seen = (): void => void (document.visibilityState === 'visible' && refresh());
  document.addEventListener('visibilitychange', seen);
  void refresh();

  return {
    root,
    search: () => text.focus(),
    move: (by) => {
      const links = [...rows.querySelectorAll('a')];
      const at = links.indexOf(document.activeElement as HTMLAnchorElement);
      links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
    },
    close: () => {
      stopped = true;
      clearInterval(timer);
      clearInterval(ticking);
      lastLines.close();
      document.removeEventListener('visibilitychange', seen);
    },
  };
}

interface Row {
  readonly root: HTMLLIElement;
  update(task: Task, lastLine: string, now: number): void;
}

function newRow(first: Task): Row {
  const state = element('span', { className: 'state' });
  const name = element('span', { className: 'name' });
  const mode = element('span', { className: 'mode' });
  const last = element('span', { className: 'last' });
  const started = element('span', { className: 'figure' });
  const time = element('span', { className: 'figure' });
  const size = element('span', { className: 'figure' });
  const link = element(
    'a',
    { className: 'row', href: addressOf({ page: 'task', id: first.task_id, tab: 'output', seq: null }) },
    state,
    element('span', { className: 'what' }, name, mode, last),
    started,
    time,
    size,
  );
  return {
    root: element('li', {}, link),
    update: (task, lastLine, now) => {
      state.dataset['mood'] = moodOf(task);
      say(state, stateOf(task));
      say(name, nameOf(task));
      say(mode, task.execution_mode === 'pty' ? 'terminal' : '');
      say(last, lastLine);
      say(started, when(task.started_at_ms, now));
      say(time, runningTime(task, now));
      say(size, outputSize(task));
    },
  };
}
