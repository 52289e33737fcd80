import { updateAddress } from '../page/address';
import { button, element, say } from '../page/element';
import { moveFocus } from '../page/move';
import { Pages } from '../page/pages';
import { addressOf, ANY, sessionAddress, type Wanted } from '../route';
import { countTasks, listTasks, Refusal, taskChanges, type Task, type TaskListChange } from '../server/api';
import { emptyList, skeleton } from './empty';
import { ListFeed } from './feed';
import { Filters } from './filters';
import { nothingLike } from './nothing';
import { keptList, keepList, namePlace } from './kept';
import { PickedBar, Picks } from './picks';
import { RowActions } from './row-actions';
import { PageRows } from './rows';

const TICK_MS = 1_000;
const COUNT_EVERY_MS = 1_000; // however fast states change
const PAGE = '50';
const AHEAD_PX = 1_200; // rows this near to the view are drawn before they are scrolled to
const MOST_NEW = 200; // new tasks on top of a list of several pages, before the list begins anew

/** The part of the page that a list of tasks uses. */
export interface TaskListHost {
  start(command?: string): void;
  failed(refusal: Refusal): void;
  answered(): void;
  /** A session has changed. Called only while the list is shown. */
  sessionsChanged(): void;
  /** Opens the page of a task. */
  open(id: string): void;
  /** The session whose tasks are listed; null lists those of all. */
  readonly session: string | null;
}

export interface TaskList {
  readonly root: HTMLElement;
  /** Shows only these tasks. */
  want(wanted: Wanted): void;
  search(): void;
  move(by: number): void;
  /** A key for the row with the focus; whether it did something. */
  key(key: string): boolean;
  close(): void;
}

/** Tasks, newest first, loaded by scrolling. The server tells what changes while the page is visible. */
export function taskList(wanted: Wanted, host: TaskListHost): TaskList {
  const { start, failed, answered, session } = host;
  const filters = new Filters(narrowed);
  const toSession = sessionLink();
  const note = element('p', { className: 'note', role: 'status' });
  const rows = element('div', { className: 'rows', role: 'list', ariaLabel: 'Tasks', ariaBusy: 'true' });
  const more = button('Show more', { hidden: true, className: 'more' }, () => void refresh(true));
  const actions = new RowActions(host.open, (message) => say(note, message), removed);
  const picks = new Picks(() => bar.show());
  const bar = new PickedBar(picks, (id) => taskOf(id), (message) => say(note, message), removed);
  const views: PageRows[] = [];
  const watcher = new IntersectionObserver(moved, { rootMargin: `${AHEAD_PX}px 0px` });
  const feed = new ListFeed(
    { changes: (signal, opened) => taskChanges(query(), signal, opened) },
    { stale: () => readAgain(), changed, failed: (refusal) => tell(refusal) },
  );
  let pages: Pages<Task> = newPages();
  let looking = false;
  let waiting = false;
  let further = false;
  let stopped = false;
  let counting: ReturnType<typeof setTimeout> | undefined;
  let countedAt = -Infinity;

  function query(): Record<string, string> {
    return { ...filters.wanted, ...(session === null ? {} : { session }) };
  }

  function newPages(): Pages<Task> {
    const asked = query();
    return new Pages(
      (cursor) => listTasks({ ...asked, limit: PAGE, cursor }),
      ({ task_id: id }) => id,
    );
  }

  function taskOf(id: string): Task | undefined {
    return pages.pages.flat().find((task) => task.task_id === id);
  }

  function narrowed(): void {
    // Replaces the address: the back button skips the typed letters.
    const narrowedTo = filters.wanted;
    const address =
      session === null
        ? addressOf({ page: 'tasks', wanted: narrowedTo })
        : addressOf({ page: 'session', id: session, tab: 'tasks', seq: null, wanted: narrowedTo });
    if (!updateAddress(address)) return;
    rows.ariaBusy = 'true';
    pages = newPages();
    picks.clear();
    feed.restart();
  }

  /** Called for pages of rows that came near the view, or left it. */
  function moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      if (target === more) {
        if (isIntersecting && !more.hidden) void refresh(true);
        continue;
      }
      const view = views.find(({ root }) => root === target);
      view?.comes(isIntersecting);
      if (isIntersecting && view?.isStale === true) void refresh();
    }
  }

  /** Rows that the server says have changed. A row that is not here yet is looked for where it belongs. */
  function changed({ tasks = [], gone = [], sessions = false }: TaskListChange): void {
    answered();
    if (sessions) host.sessionsChanged();
    if (tasks.length === 0 && gone.length === 0) return;
    let isMissing = false;
    let isMoved = gone.length > 0;
    for (const task of tasks) {
      const before = taskOf(task.task_id);
      isMoved ||= before === undefined || before.phase !== task.phase || before.outcome !== task.outcome;
      if (before === undefined) isMissing = true;
      else pages.replace(task);
    }
    for (const id of gone) pages.remove(id);
    if (looking && gone.length > 0) waiting = true; // the rows that are being read may still have them
    if (isMissing) readAgain();
    else show();
    if (isMoved) countSoon();
  }

  function removed(id: string): void {
    changed({ tasks: [], gone: [id] });
  }

  /** Reads the rows again: those near the view now, others when they come near. */
  function readAgain(): void {
    for (const view of views) view.isStale = true;
    void refresh().then(countSoon);
  }

  /** One request at a time; the next one waits. */
  async function refresh(wantsMore = false): Promise<void> {
    waiting = true;
    further ||= wantsMore;
    if (looking) return;
    looking = true;
    rows.ariaBusy = 'true';
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
      rows.ariaBusy = 'false'; // the rows are there, until something is requested again
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
      for (let at = 0; at < now.pages.length && now === pages && !stopped; at++) {
        const view = views[at];
        if (view !== undefined && (!view.isNear || !view.isStale) && now.pages[at]?.length !== 0) continue;
        if (view !== undefined) view.isStale = false;
        await now.refresh(at).catch((why: unknown) => {
          if (view !== undefined) view.isStale = true;
          throw why;
        });
      }
    }
    if (stopped) return;
    answered();
    if (now !== pages) return;
    show();
    root.classList.remove('stale');
  }

  /** Asks for the numbers of the states, as often as is useful. */
  function countSoon(): void {
    if (counting !== undefined || stopped) return;
    filters.isCounting = true;
    const wait = Math.max(0, countedAt + COUNT_EVERY_MS - performance.now());
    counting = setTimeout(() => {
      counting = undefined;
      countedAt = performance.now();
      const { status: _, ...asked } = query();
      countTasks(asked)
        .then(
          (counts) => stopped || filters.count(counts),
          () => filters.count(null), // the list tells why
        )
        .finally(() => (filters.isCounting = counting !== undefined));
    }, wait);
  }

  function tell(refused: Refusal): void {
    loading.hidden = true;
    if (refused.status !== 400) {
      root.classList.add('stale');
      failed(refused);
      return;
    }
    pages = newPages();
    show();
    rows.ariaBusy = 'false';
    nothing.hidden = true;
    say(note, refused.message);
  }

  function show(): void {
    const seen = new Set<string>();
    pages.pages.forEach((page, at) => {
      // A task that has begun to match the filter may be in two pages.
      const tasks = page.filter((task) => !seen.has(task.task_id));
      for (const task of tasks) seen.add(task.task_id);
      (views[at] ?? newView()).show(tasks);
    });
    for (const view of views.splice(pages.pages.length)) {
      watcher.unobserve(view.root);
      view.root.remove();
    }
    picks.retain(seen);
    more.hidden = !pages.hasMore;
    // Observing it again reports it again, even if it has not moved.
    watcher.unobserve(more);
    watcher.observe(more);
    const none = seen.size === 0 && !pages.hasMore;
    loading.hidden = true;
    table.hidden = seen.size === 0;
    empty.hidden = !none || filters.areSet;
    nothing.hidden = !none || !filters.areSet;
    say(note, '');
    say(why, nothing.hidden ? '' : nothingLike(filters.wanted));
    toSession.show(session === null && seen.size > 0 ? filters.wanted.session : '');
  }

  function newView(height = 0): PageRows {
    const view = new PageRows({ actions, picks, inSession: session !== null }, height);
    view.isStale = height !== 0; // a new one is made for rows that were just read
    views.push(view);
    rows.append(view.root);
    watcher.observe(view.root);
    return view;
  }

  const table = element('div', { className: 'table sheet', hidden: true }, rows);
  const loading = skeleton();
  const empty = emptyList(session !== null, start);
  const why = element('p', { role: 'status' });
  const nothing = element(
    'div',
    { className: 'empty', hidden: true },
    element('h2', {}, 'No matching tasks'),
    why,
    button('Show all tasks', {}, () => {
      filters.want(ANY);
      narrowed();
    }),
  );
  filters.root.prepend(bar.root);
  const root = element(
    'section',
    { className: 'list tasks' },
    element('h1', { className: 'unseen' }, 'Tasks'),
    filters.root,
    toSession.root,
    note,
    loading,
    empty,
    nothing,
    table,
    more,
  );

  filters.want(wanted);
  const kept = keptList(session);
  pages = kept?.pages ?? newPages();
  if (kept !== undefined) {
    for (const height of kept.heights) newView(height);
    show();
    requestAnimationFrame(() => scrollTo(0, kept.scrolled));
  }
  const ticking = setInterval(() => {
    const now = Date.now();
    for (const view of views) view.tick(now);
  }, TICK_MS);
  const seen = (): void => feed.pause(document.visibilityState !== 'visible');
  const offline = (): void => feed.restart(); // a broken connection would be noticed much later
  document.addEventListener('visibilitychange', seen);
  addEventListener('offline', offline);
  addEventListener('online', offline);
  seen();
  void feed.run();

  return {
    root,
    want: (other) => {
      namePlace();
      filters.want(other);
      scrollTo(0, 0);
      narrowed();
    },
    search: () => filters.focus(),
    move: (by) => moveFocus(rows, by),
    key: (key) => {
      const id = document.activeElement?.closest<HTMLElement>('.task-row')?.dataset['id'];
      const task = id === undefined ? undefined : taskOf(id);
      if (key === 'x' && task !== undefined) picks.toggle(task.task_id);
      else if (key === 'Escape' && picks.size > 0) picks.clear();
      else return task !== undefined && actions.key(key, task);
      show();
      return true;
    },
    close: () => {
      keepList(session, { pages, heights: views.map((view) => view.height), scrolled: scrollY });
      stopped = true;
      clearInterval(ticking);
      clearTimeout(counting);
      filters.close();
      feed.close();
      watcher.disconnect();
      document.removeEventListener('visibilitychange', seen);
      removeEventListener('offline', offline);
      removeEventListener('online', offline);
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
