import { copies } from '../page/clipboard';
import { button, element } from '../page/element';
import { moveFocus } from '../page/move';
import { Pages } from '../page/pages';
import { Refusal } from '../server/api';
import { listSessions, type ListedSession } from '../server/sessions';
import { COLUMNS, newSessionRow, type SessionRow } from './row';

const ASK_EVERY_MS = 3_000;
const PAGE = '50';
/** Works in the folder of Penstock, beside a server that was started without --data. */
const COMMAND = [
  'curl -s -H "Authorization: Bearer $(./penstock token)" -H "content-type: application/json"',
  `${location.origin}/tasks`,
  `-d '{"tool": "bash", "args": {"command": "date"}, "origin_session_id": "work"}'`,
].join(' ');

export interface SessionList {
  readonly root: HTMLElement;
  move(by: number): void;
  close(): void;
}

/** All sessions, newest first. The pages in view are refreshed while the browser shows this page. @param counted is called when other mailbox items wait */
export function sessionList(failed: (refusal: Refusal) => void, answered: () => void, counted: () => void): SessionList {
  const pages = new Pages<ListedSession>(
    (cursor) => listSessions({ limit: PAGE, cursor }),
    ({ session_id: id }) => id,
  );
  const rows = new Map<string, SessionRow>();
  const list = element('ol', { className: 'rows', role: 'list', ariaLabel: 'Sessions' });
  const more = button('Show more', { className: 'more', hidden: true }, () => void refresh(true));
  const table = element(
    'div',
    { className: 'table sheet', hidden: true },
    element(
      'div',
      { className: 'head', ariaHidden: 'true' },
      element('div', { className: 'row' }, ...COLUMNS.map((word) => element('span', {}, word))),
    ),
    list,
  );
  const empty = noSessions();
  const root = element(
    'section',
    { className: 'list sessions' },
    element('h1', { className: 'unseen' }, 'Sessions'),
    empty,
    table,
    more,
  );
  let asking = false;
  let further = false; // another page is wanted
  let waiting = 0; // items in the mailboxes of these sessions
  let closed = false;

  async function refresh(wantsMore = false): Promise<void> {
    further ||= wantsMore;
    if (asking) return;
    asking = true;
    try {
      do {
        const isFurther = further;
        further = false;
        if (isFurther) await pages.more();
        else for (const at of inView()) await pages.refresh(at);
        if (closed) return;
        answered();
        root.classList.remove('stale');
        draw();
      } while (further);
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      if (closed) return;
      root.classList.add('stale');
      failed(refused);
    } finally {
      asking = false;
    }
  }

  /** The pages that have rows in view, and the first, which new sessions enter. */
  function inView(): number[] {
    let from = 0;
    return pages.pages.flatMap((page, at) => {
      const [first, last] = [list.children[from], list.children[from + page.length - 1]];
      from += page.length;
      if (at === 0 || first === undefined || last === undefined) return [at];
      const isNear = first.getBoundingClientRect().top < innerHeight && last.getBoundingClientRect().bottom > 0;
      return isNear ? [at] : [];
    });
  }

  function draw(): void {
    const now = Date.now();
    const sessions = pages.pages.flat();
    const wanted = new Set(sessions.map(({ session_id: id }) => id));
    for (const [id, row] of rows) {
      if (wanted.has(id)) continue;
      row.root.remove();
      rows.delete(id);
    }
    sessions.forEach((session, at) => {
      const row = rows.get(session.session_id) ?? newSessionRow(session);
      rows.set(session.session_id, row);
      // Rows keep their elements, so that focus and the pointer stay on them.
      if (list.children[at] !== row.root) list.insertBefore(row.root, list.children[at] ?? null);
      row.update(session, now);
    });
    const waitingNow = sessions.reduce((sum, { mailbox_waiting }) => sum + mailbox_waiting, 0);
    if (waitingNow !== waiting) counted();
    waiting = waitingNow;
    table.hidden = sessions.length === 0;
    empty.hidden = sessions.length > 0;
    more.hidden = !pages.hasMore;
  }

  empty.hidden = true;
  const refreshIfSeen = (): void => void (document.visibilityState === 'visible' && refresh());
  const timer = setInterval(refreshIfSeen, ASK_EVERY_MS);
  document.addEventListener('visibilitychange', refreshIfSeen);
  void refresh();
  return {
    root,
    move: (by) => moveFocus(list, by),
    close: () => {
      closed = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshIfSeen);
    },
  };
}

function noSessions(): HTMLElement {
  return element(
    'div',
    { className: 'empty' },
    element('h2', {}, 'No sessions yet'),
    element(
      'p',
      {},
      'A session groups the tasks of one client. Its mailbox says which of them have ended. ',
      'The first task that names it starts it:',
    ),
    element(
      'div',
      { className: 'joined' },
      element('code', { className: 'copied', tabIndex: 0 }, COMMAND),
      copies('Copy', 'Copy the command', () => COMMAND),
    ),
  );
}
