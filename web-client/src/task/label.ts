import { element } from '../page/element';
import { addressOf, ANY, sessionAddress, taskAddress } from '../route';
import type { Task } from '../server/api';

/** The label of a task, as a link to all tasks that have it. */
export class Label {
  readonly root = element('a', { className: 'label', hidden: true, title: 'All tasks with this label' });

  update({ label }: Task): void {
    this.root.hidden = label === null;
    if (label === null || this.root.textContent === label) return;
    this.root.textContent = label;
    this.root.href = addressOf({ page: 'tasks', wanted: { ...ANY, label } });
  }
}

/** The session of a task, as a link to it. */
export class SessionLink {
  readonly #name = element('span', {});
  readonly root = element(
    'a',
    { className: 'session', hidden: true, title: 'The session of this task' },
    element('span', { className: 'unseen' }, 'Session '),
    this.#name,
  );

  update({ origin_session_id: session }: Task): void {
    this.root.hidden = session === null;
    if (session === null || this.#name.textContent === session) return;
    this.#name.textContent = session;
    this.root.href = sessionAddress(session);
  }
}

/** The task that asked for a task, as a link to it. */
export class ParentLink {
  readonly root = element('a', { className: 'session', hidden: true, title: 'The task that asked for this one' }, 'Parent task');

  update({ parent_task_id: parent }: Task): void {
    this.root.hidden = parent == null;
    if (parent != null) this.root.href = taskAddress(parent);
  }
}
