import { element, say } from '../page/element';
import { sessionAddress } from '../route';
import type { ListedSession } from '../server/sessions';
import { ago, when } from '../tasks/words';
import { counted, runningIn, standingOf } from './words';

/** The names of the columns, in the order of a row's cells. */
export const COLUMNS = ['State', 'Session', 'Mailbox', 'Running', 'Ended', 'Last activity'];

/** A session as a line of the list. */
export interface SessionRow {
  readonly root: HTMLLIElement;
  update(session: ListedSession, now: number): void;
}

export function newSessionRow({ session_id: id }: ListedSession): SessionRow {
  const state = element('span', { className: 'state' });
  const waiting = element('span', { className: 'waiting' });
  const running = element('span', { className: 'figure' });
  const ended = element('span', { className: 'figure' });
  const last = element('span', { className: 'figure' });
  const link = element(
    'a',
    { className: 'row', href: sessionAddress(id) },
    state,
    element('span', { className: 'what' }, element('span', { className: 'name' }, id)),
    element('span', {}, waiting),
    running,
    ended,
    last,
  );
  return {
    root: element('li', { role: 'listitem' }, link), // named, because the list style removes the role
    update: (session, now) => {
      const { text, mood } = standingOf(session);
      state.dataset['mood'] = mood;
      say(state, text);
      say(waiting, session.mailbox_waiting === 0 ? '' : counted(session.mailbox_waiting, 'item'));
      waiting.title = session.mailbox_waiting === 0 ? '' : 'Mailbox items that are not acknowledged';
      say(running, runningIn(session) === 0 ? '–' : `${runningIn(session)} running`);
      say(ended, session.tasks_ended === 0 ? '–' : `${session.tasks_ended} ended`);
      say(last, ago(session.last_at_ms, now));
      last.title = when(session.last_at_ms);
    },
  };
}
