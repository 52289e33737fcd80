import { element } from '../page/element';
import { addressOf, ANY } from '../route';
import type { Task } from '../server/api';

/** The label of a task, as a way to all that have it. */
export class Label {
  readonly root = element('a', { className: 'label', hidden: true, title: 'All tasks with this label' });

  update({ label }: Task): void {
    this.root.hidden = label === null;
    if (label === null || this.root.textContent === label) return;
    this.root.textContent = label;
    this.root.href = addressOf({ page: 'tasks', wanted: { ...ANY, label } });
  }
}
