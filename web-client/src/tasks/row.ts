import { plain } from '../log/ansi';
import { element, say } from '../page/element';
import { addressOf, taskAddress, ANY } from '../route';
import type { Task } from '../server/api';
import { labelOf, moodOf, nameOf, outputSize, runningTime, stateOf, when } from './words';

/** A task as a line of the list. */
export interface Row {
  readonly root: HTMLLIElement;
  update(task: Task, lastLine: string, now: number): void;
}

export function newRow(first: Task): Row {
  const state = element('span', { className: 'state' });
  const name = element('span', { className: 'name' });
  const label = element('span', { className: 'label', title: 'Its label' });
  const mode = element('span', { className: 'mode' });
  const last = element('span', { className: 'last' });
  const started = element('span', { className: 'figure' });
  const time = element('span', { className: 'figure' });
  const size = element('span', { className: 'figure' });
  const link = element(
    'a',
    { className: 'row', href: taskAddress(first.task_id) },
    state,
    element('span', { className: 'what' }, name, label, mode, last),
    started,
    time,
    size,
  );
  const root = element('li', { role: 'listitem' }, link); // named, because the list of its page has no role
  if (first.origin_session_id !== null) root.append(sessionOf(first.origin_session_id));
  return {
    root,
    update: (task, lastLine, now) => {
      state.dataset['mood'] = moodOf(task);
      say(state, stateOf(task));
      say(name, nameOf(task));
      say(label, labelOf(task));
      say(mode, task.agent != null ? `agent ${task.agent.profile}` : task.execution_mode === 'pty' ? 'terminal' : '');
      say(last, task.agent == null ? lastLine : plain(task.agent.latest ?? '').replaceAll(/\s+/g, ' '));
      say(started, when(task.started_at_ms, now));
      say(time, runningTime(task, now));
      say(size, outputSize(task));
    },
  };
}

/** The session of a task, as a link to all its tasks; beside the row, which is a link itself. */
function sessionOf(session: string): HTMLAnchorElement {
  return element(
    'a',
    {
      className: 'session',
      href: addressOf({ page: 'tasks', wanted: { ...ANY, session } }),
      title: `Only tasks of the session ${session}`,
    },
    element('span', { className: 'unseen' }, 'Session '),
    session,
  );
}
