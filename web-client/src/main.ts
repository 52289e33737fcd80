import { showAddress } from './page/address';
import { element, button, found, say } from './page/element';
import { askFirst, helpDialog } from './page/help';
import { incompletePage } from './page/incomplete';
import { keyOf, letterOf } from './page/keys';
import { noticesChoices, noticesSwitch } from './page/notices';
import { isCharacter } from './page/typed';
import { paletteDialog, type Choice } from './page/palette';
import { followOtherTabs } from './page/theme';
import { themeButton, themeChoices } from './page/theme-button';
import { addressOf, routeOf, taskAddress, tokenOf, type Route } from './route';
import { closeSession, listTasks, openSession, type Refusal } from './server/api';
import { serverPage } from './server/status';
import { MailboxBadge } from './sessions/badge';
import type { SessionList } from './sessions/list';
import type { SessionPage } from './sessions/page';
import { signIn } from './sign-in/sign-in';
import { TaskPage } from './task/page';
import { splitPage } from './task/split';
import { taskList, type TaskList } from './tasks/list';
import { startDialog, type StartOptions } from './tasks/start';
import { labelOf, nameOf, stateOf } from './tasks/words';
import './app.css';

const main = found('main', HTMLElement);
const trouble = found('trouble', HTMLElement);

let list: TaskList | undefined;
let task: TaskPage | undefined;
let sessions: SessionList | undefined;
let session: SessionPage | undefined;
let close: (() => void) | undefined;
let wasIn = false;
let left = 0; // how many pages were left
const badge = new MailboxBadge(found('sessions', HTMLAnchorElement));

/** The other tabs of this browser, which are signed in as soon as one of them is. */
const tabs = new BroadcastChannel('penstock.signed-in');
tabs.onmessage = () => {
  if (document.body.dataset['page'] === 'sign-in') show();
};

function leave(): void {
  left++;
  close?.();
  list = undefined;
  task = undefined;
  sessions = undefined;
  session = undefined;
  close = undefined;
  badge.isTold = false;
  trouble.hidden = true;
  document.title = 'Penstock';
}

function show(): void {
  const route: Route = routeOf(showAddress());
  closeDialog(); // going back leaves it
  if (route.page === 'task' && task?.id === route.id && document.body.dataset['page'] === 'task') {
    task.show(route.tab, route.seq);
    return;
  }
  if (route.page === 'tasks' && list !== undefined) {
    list.want(route.wanted);
    return;
  }
  if (route.page === 'session' && session?.id === route.id) {
    session.show(route.tab, route.seq, route.wanted);
    return;
  }
  leave();
  document.body.dataset['page'] = route.page;
  switch (route.page) {
    case 'tasks':
      list = taskList(route.wanted, { start: (command) => start({ command }), failed, answered, sessionsChanged, open: goTo, session: null });
      badge.isTold = true;
      close = list.close;
      main.replaceChildren(list.root);
      break;
    case 'task': {
      const page = new TaskPage(route.id, route.tab, route.seq, failed, answered, reopen, (spec) => start({ again: spec }));
      task = page;
      close = () => page.close();
      main.replaceChildren(page.root);
      break;
    }
    case 'split':
      showSplit(route.ids);
      break;
    case 'sessions':
    case 'session':
      void showSessions(route);
      break;
    case 'server': {
      const server = serverPage();
      close = server.close;
      main.replaceChildren(server.root);
    }
  }
}

function showSplit(ids: readonly string[]): void {
  const split = splitPage(ids, { failed, answered, reopen, edit: (spec) => start({ again: spec }), focused: (page) => (task = page) });
  close = split.close;
  main.replaceChildren(split.root);
}

/** Asks for a task to show beside those that are shown. */
function showBeside(): void {
  const { page, ...at } = routeOf(location.hash);
  const shown = page === 'split' && 'ids' in at ? at.ids : task === undefined ? [] : [task.id];
  const tasks = newestTasks((id) => addressOf({ page: 'split', ids: [...shown, id] }), shown);
  open(paletteDialog([], tasks));
}

/** Shows the page of the address from its beginning: the task has another run. */
function reopen(): void {
  leave();
  show();
}

async function showSessions(route: Extract<Route, { page: 'sessions' | 'session' }>): Promise<void> {
  main.replaceChildren();
  const before = left;
  const views = await import('./sessions/views').catch((broken: unknown) => {
    if (left === before) main.replaceChildren(incompletePage());
    throw broken;
  });
  if (left !== before) return; // the user went on meanwhile
  if (route.page === 'sessions') {
    sessions = views.sessionList(failed, answered, sessionsChanged);
    close = sessions.close;
    main.replaceChildren(sessions.root);
    return;
  }
  const host = {
    start: (command?: string) => start({ command }),
    failed,
    answered,
    sessionsChanged,
    open: goTo,
    counted: () => void badge.refresh(),
  };
  const page = new views.SessionPage(route.id, route.tab, route.seq, route.wanted, host);
  session = page;
  close = () => page.close();
  main.replaceChildren(page.root);
}

function askWho(why: string): void {
  closeDialog(); // a page behind it receives neither clicks nor keys
  leave();
  badge.turn(false);
  document.body.dataset['page'] = 'sign-in';
  const entered = (): void => {
    tabs.postMessage('');
    show();
  };
  main.replaceChildren(signIn(why, entered));
  main.querySelector('input')?.focus();
}

/** Shows a failure of the whole page: not signed in, no such task, no connection. */
function failed(refusal: Refusal): void {
  if (refusal.status === 401) {
    askWho(wasIn ? 'Your session has ended. Sign in to continue where you were.' : '');
    wasIn = false;
  } else if (task !== undefined && !refusal.passes) {
    const { id } = task;
    const reason = `This server has no task ${id}. It may be on another server, or have been deleted.`;
    leave();
    main.replaceChildren(dead(refusal, 'There is no such task', reason, '#/tasks', 'All tasks'));
  } else if (session !== undefined && !refusal.passes) {
    const { id } = session;
    const reason = `This server has no session ${id}. The first task that names a session starts it.`;
    leave();
    main.replaceChildren(dead(refusal, 'There is no such session', reason, '#/sessions', 'All sessions'));
  } else {
    trouble.hidden = false;
    const next = refusal.status === 0 ? ' Reconnecting…' : refusal.passes ? ' Retrying…' : '';
    say(trouble, `${refusal.message}${next}`);
  }
}

/** Shows a sentence at the top of the page. */
function tell(sentence: string): void {
  trouble.hidden = false;
  say(trouble, sentence);
}

/** The page for an address that leads to nothing. */
function dead(refusal: Refusal, missing: string, reason: string, href: string, way: string): HTMLElement {
  const isMissing = refusal.status === 404;
  return element(
    'section',
    { className: 'empty' },
    element('h1', {}, isMissing ? missing : 'Request failed'),
    element('p', {}, isMissing ? reason : refusal.message),
    element('a', { className: 'button', href }, way),
  );
}

/** The server has replied. */
function answered(): void {
  wasIn = true;
  badge.turn(true);
  trouble.hidden = true;
}

function open(dialog: HTMLDialogElement): void {
  if (document.querySelector('dialog[open]') !== null) return;
  document.body.append(dialog);
  dialog.showModal();
}

function closeDialog(): void {
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
}

function start(options: StartOptions = {}): void {
  open(startDialog(goTo, { session: session?.id ?? null, ...options }));
}

function sessionsChanged(): void {
  void badge.refresh();
}

function goTo(id: string): void {
  location.hash = taskAddress(id);
}

function signOut(): void {
  closeSession().then(
    () => location.reload(),
    (refused: Refusal) => {
      if (refused.status === 401) location.reload(); // one had been signed out before
      else askFirst('You are still signed in', refused.message, 'Try again', signOut);
    },
  );
}

function palette(): void {
  const go = (hash: string) => (): void => void (location.hash = hash);
  const beside = { name: 'Show another task beside this one', hint: '', act: () => showBeside() };
  const choices: Choice[] = [
    ...(task === undefined ? [] : [beside]),
    ...(task?.choices() ?? session?.choices() ?? []),
    { name: 'Start a task', hint: 'n', act: () => start() },
    { name: 'All tasks', hint: 'g', act: go('#/tasks') },
    { name: 'Sessions and mailboxes', hint: 'm', act: go('#/sessions') },
    { name: 'This server', hint: '', act: go('#/server') },
    { name: 'Keys', hint: '?', act: () => open(helpDialog()) },
    { name: 'API', hint: '', act: () => location.assign('/docs') },
    ...themeChoices(),
    ...noticesChoices(tell),
    { name: 'Sign out', hint: '', act: signOut },
  ];
  const tasks = newestTasks((id) => taskAddress(id));
  open(paletteDialog(choices, tasks));
}

/** The newest tasks as choices, each of which leads to an address. */
async function newestTasks(addressOfTask: (id: string) => string, without: readonly string[] = []): Promise<Choice[]> {
  const { rows } = await listTasks({ limit: '200' }).catch(() => ({ rows: [] }));
  return rows
    .filter((each) => !without.includes(each.task_id))
    .map((each) => ({
      name: [nameOf(each), labelOf(each)].filter((part) => part !== '').join(' · '),
      hint: stateOf(each),
      act: () => void (location.hash = addressOfTask(each.task_id)),
    }));
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const dialog = target.closest('dialog');
  // A closed dialog keeps the focus until the next animation frame, and takes no text.
  if (dialog !== null) return dialog.open;
  return target.closest('input:not([readonly]), textarea:not([readonly]), select') !== null;
}

/** A key that no control uses, or that would do nothing where the focus is. */
function isForTerminal(event: KeyboardEvent): boolean {
  const control = event.target instanceof Element && event.target.closest('a, button, input, [role="dialog"]') !== null;
  return control ? isCharacter(event) && event.key !== ' ' : isCharacter(event) || event.key === 'Enter';
}

/** Focuses the terminal when nothing else has the focus. */
function giveKeyboardBack(from: Element | null = null): void {
  const has = document.activeElement;
  if (has !== null && has !== document.body && has !== from) return;
  if (document.querySelector('dialog[open], [popover]:popover-open') !== null) return;
  if (getSelection()?.isCollapsed === false || !matchMedia('(pointer: fine)').matches) return;
  task?.liveTerminal?.focus();
}

// A click on a place that takes no keys, such as the head.
document.addEventListener('click', () => giveKeyboardBack());
// Neither of the two events bubbles, hence `capture`.
document.addEventListener('close', () => giveKeyboardBack(document.querySelector('.stop')), { capture: true });
document.addEventListener(
  'toggle',
  (event) => {
    const has = document.activeElement;
    const isOpener = has instanceof HTMLButtonElement && has.popoverTargetElement === event.target;
    if (event instanceof ToggleEvent && event.newState === 'closed') giveKeyboardBack(isOpener ? has : null);
  },
  { capture: true },
);

document.addEventListener('keydown', (event) => {
  const isK = (event.ctrlKey || event.metaKey) && !event.altKey && letterOf(event) === 'k';
  // In a terminal, Ctrl+K is the program's; there it is Ctrl+Shift+K, or ⌘K.
  const isOurs = event.metaKey || event.shiftKey || !isTyping(event.target);
  if (isK && isOurs && document.body.dataset['page'] !== 'sign-in') {
    event.preventDefault();
    palette();
    return;
  }
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTyping(event.target) ||
    document.body.dataset['page'] === 'sign-in'
  )
    return;
  const terminal = task?.liveTerminal;
  if (terminal !== undefined) {
    if (isForTerminal(event)) terminal.focus(); // and so the character is typed there
    return;
  }
  if (task?.isOpening === true) return;
  const rows: { move(by: number): void; search?(): void; key?(key: string): boolean } | undefined = list ?? sessions ?? session?.rows;
  const done = ((): boolean => {
    const key = keyOf(event);
    switch (key) {
      case '?':
        open(helpDialog());
        return true;
      case 'n':
        start({ letter: event });
        return true;
      case 'g':
        location.hash = '#/tasks';
        return true;
      case 'm':
        location.hash = '#/sessions';
        return true;
      case '/':
        if (rows?.search === undefined) return task?.key('/', event) ?? false;
        rows.search();
        return true;
      case 'j':
      case 'ArrowDown':
        rows?.move(1);
        return rows !== undefined;
      case 'k':
      case 'ArrowUp':
        rows?.move(-1);
        return rows !== undefined;
      default:
        return task?.key(key, event) ?? (rows?.key?.(key) === true || (session?.key(key) ?? false));
    }
  })();
  if (done) event.preventDefault();
});

/** Removes the token of a link from the address at once, then exchanges it for a cookie that no script can read. */
async function enter(): Promise<void> {
  const token = tokenOf(location.hash);
  if (token === null) return;
  history.replaceState(null, '', location.pathname);
  try {
    await openSession(token);
    tabs.postMessage('');
  } catch (refused) {
    askWho(
      (refused as Refusal).status === 401
        ? 'The token of this link is not valid for this server.'
        : (refused as Error).message,
    );
    throw refused;
  }
}

const find = button('', { className: 'find icon', title: 'Find a task or a command (Ctrl+K)', ariaLabel: 'Find or do' }, palette);
find.dataset['icon'] = 'search';
find.append(element('span', {}, 'Find or do'), element('kbd', {}, 'Ctrl K'));
found('actions', HTMLElement).append(
  find,
  themeButton(),
  ...[noticesSwitch(tell)].filter((each) => each !== null),
  button('?', { className: 'keys bare', title: 'Keys (?)', ariaLabel: 'Keys' }, () => open(helpDialog())),
  button('Sign out', { className: 'sign-out' }, signOut),
  button('New task', { className: 'primary', title: 'Start a task (n)' }, () => start()),
);
history.scrollRestoration = 'manual'; // a list restores its place itself, once it has its rows
followOtherTabs();
window.addEventListener('hashchange', () => void enter().then(show, () => undefined));
void enter().then(show, () => undefined);
