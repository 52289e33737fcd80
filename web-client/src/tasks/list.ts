import { updateAddress } from '../page/address';
import { button, element, say } from '../page/element';
import { addressOf, ANY, sessionAddress, type Wanted } from '../route';
import { listTasks, Refusal, type Task } from '../server/api';
import { Filters } from './filters';
import { LastLines } from './last-line';
import { nothingLike } from './nothing';
import { moveFocus } from '../page/move';
import { Pages } from '../page/pages';
import { PageRows } from './rows';

const ASK_EVERY_MS = 2_000;
const TICK_MS = 1_000;
const PAGE = '50';
const AHEAD_PX = 800; // rows this near to the view are drawn before they are scrolled to
const MOST_NEW = 200; // new tasks on top of a list of several pages, before the list begins anew

/** The part of the page that a list of tasks uses. */
export interface TaskListHost {
  start(): void;
  failed(refusal: Refusal): void;
  answered(): void;
  /** The session whose tasks are listed; null lists those of all. */
  readonly session: string | null;
}

export interface TaskList {
  readonly root: HTMLElement;
  /** Shows only these tasks. */
  want(wanted: Wanted): void;
  search(): void;
  move(by: number): void;
  close(): void;
}

/** Tasks, newest first, loaded by scrolling. Rows near the view are refreshed while the page is visible. */
export function taskList(wanted: Wanted, { start, failed, answered, session }: TaskListHost): TaskList {
  const filters = new Filters(narrowed, start, session === null);
  const toSession = sessionLink();
  const note = element('p', { className: 'note', role: 'status' });
  const rows = element('div', { className: 'rows', role: 'list', ariaLabel: 'Tasks' });
  const more = button('Show more', { hidden: true, className: 'more' }, () => void refresh(true));
  const lastLines = new LastLines((task) => views.forEach((view) => view.draw(task)));
  const views: PageRows[] = [];
  const watcher = new IntersectionObserver(moved, { rootMargin: `${AHEAD_PX}px 0px` });
  let pages: Pages<Task> = newPages();
  let looking = false;
  let waiting = false;
  let further = false;
  let stopped = false;

  function newPages(): Pages<Task> {
    const query = { ...filters.wanted, ...(session === null ? {} : { session }) };
    return new Pages(
      (cursor) => listTasks({ ...query, limit: PAGE, cursor }),
      ({ task_id: id }) => id,
    );
  }

  function narrowed(): void {
    // Replaces the address: the back button skips the typed letters.
    const narrowedTo = filters.wanted;
    const address =
      session === null
        ? addressOf({ page: 'tasks', wanted: narrowedTo })
        : addressOf({ page: 'session', id: session, tab: 'tasks', seq: null, wanted: narrowedTo });
    if (!updateAddress(address)) return;
    pages = newPages();
    void refresh();
  }

  /** Called for pages of rows that came near the view, or left it. */
  function moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (target === more) {
        if (isIntersecting && !more.hidden) {
          rows.ariaBusy = 'true';
          void refresh(true);
        }
        continue;
      }
      const view = views.find(({ root }) => root === target);
      if (view === undefined || view.isNear === isIntersecting) continue;
      view.comes(isIntersecting);
      if (isIntersecting) void refresh();
    }
  }

  /** One request at a time; the next one waits. */
  async function refresh(wantsMore = false): Promise<void> {
    waiting = true;
    further ||= wantsMore;
    if (looking) return;
    looking = true;
    try {
      while (waiting && !stopped) {
        waiting = false;
        const now = pages;
        await look(now).catch((refused: unknown) => {
          if (!(refused instanceof Refusal)) throw refused;
          if (now === pages && !stopped) tell(refused);
        });
      }
    } finally {
      looking = false;
      rows.ariaBusy = 'false'; // the rows of the new place are there
    }
  }

  async function look(now: Pages<Task>): Promise<void> {
    const wantsMore = further && now.hasMore;
    further = false;
    if (wantsMore) {
      await now.more();
    } else if ((now.pages[0]?.length ?? 0) > MOST_NEW && scrollY === 0) {
      // With so many new tasks, the list starts again.
      pages = newPages();
      waiting = true;
      return;
    } else {
      for (let at = 0; at < now.pages.length && now === pages && !stopped; at++)
        if (views[at]?.isNear !== false || now.pages[at]?.length === 0) await now.refresh(at);
    }
    if (stopped) return;
    answered();
    if (now !== pages) return;
    show();
    root.classList.remove('stale');
  }

  function tell(refused: Refusal): void {
    if (refused.status !== 400) {
      root.classList.add('stale');
      failed(refused);
      return;
    }
    pages = newPages();
    show();
    nothing.hidden = true;
    say(note, refused.message);
  }

  function show(): void {
    const seen = new Set<string>();
    const near: Task[] = [];
    pages.pages.forEach((page, at) => {
      // A task that has begun to match the filter may be in two pages.
      const tasks = page.filter((task) => !seen.has(task.task_id));
      for (const task of tasks) seen.add(task.task_id);
      const view = views[at] ?? newView();
      view.show(tasks);
      if (view.isNear) near.push(...tasks);
    });
    for (const view of views.splice(pages.pages.length)) {
      watcher.unobserve(view.root);
      view.root.remove();
    }
    void lastLines.look(near);
    filters.offer(near);
    more.hidden = !pages.hasMore;
    // Observing it again reports it again, even if it has not moved.
    watcher.unobserve(more);
    watcher.observe(more);
    const none = seen.size === 0 && !pages.hasMore;
    table.hidden = seen.size === 0;
    empty.hidden = !none || filters.areSet;
    nothing.hidden = !none || !filters.areSet;
    say(note, '');
    say(why, nothing.hidden ? '' : nothingLike(filters.wanted));
    toSession.show(session === null && seen.size > 0 ? filters.wanted.session : '');
  }

  function newView(): PageRows {
    const view = new PageRows(lastLines);
    views.push(view);
    rows.append(view.root);
    watcher.observe(view.root);
    return view;
  }

  const columns = ['State', 'Task', 'Started', 'Time', 'Output'].map((word) => element('span', {}, word));
  const head = element(
    'div',
    { className: 'head', ariaHidden: 'true' },
    element('div', { className: 'row' }, ...columns),
    element('span', { className: 'session' }, 'Session'),
  );
  const table = element('div', { className: 'table sheet', hidden: true }, head, rows);
  const empty = element(
    'div',
    { className: 'empty', hidden: true },
    element('h2', {}, session === null ? 'No tasks yet' : 'This session has no tasks'),
    element('p', {}, 'Run a command: it keeps running when you close this page, and its output is saved.'),
    button('Start a task', { className: 'primary' }, start),
  );
  const why = element('p', { role: 'status' });
  const nothing = element(
    'div',
    { className: 'empty', hidden: true },
    element('h2', {}, 'No matching tasks'),
    why,
    button('Show all tasks', {}, () => {
      filters.want(ANY);
      narrowed();
      filters.focus();
    }),
  );
  const root = element(
    'section',
    { className: 'list' },
    element(session === null ? 'h1' : 'h2', { className: 'unseen' }, 'Tasks'),
    filters.root,
    toSession.root,
    note,
    empty,
    nothing,
    table,
    more,
  );

  filters.want(wanted);
  pages = newPages();
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') void refresh();
  }, ASK_EVERY_MS);
  const ticking = setInterval(() => {
    const now = Date.now();
    for (const view of views) view.tick(now);
  }, TICK_MS);
  const seen = (): void => void (document.visibilityState === 'visible' && refresh());
  document.addEventListener('visibilitychange', seen);
  void refresh();

  return {
    root,
    want: (other) => {
      filters.want(other);
      scrollTo(0, 0);
      narrowed();
    },
    search: () => filters.focus(),
    move: (by) => moveFocus(rows, by),
    close: () => {
      stopped = true;
      clearInterval(timer);
      clearInterval(ticking);
      filters.close();
      lastLines.close();
      watcher.disconnect();
      document.removeEventListener('visibilitychange', seen);
    },
  };
}

/** The way from a list of one session's tasks to the session. */
function sessionLink(): { root: HTMLElement; show(session: string): void } {
  const link = element('a', {});
  const root = element('p', { className: 'note to-session', hidden: true }, link);
  return {
    root,
    show: (session) => {
      root.hidden = session === '';
      link.href = sessionAddress(session);
      say(link, `Session ${session}: its mailbox and timeline`);
    },
  };
}
