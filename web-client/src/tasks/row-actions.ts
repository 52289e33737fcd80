import { copy } from '../page/clipboard';
import { button, element } from '../page/element';
import { taskAddress } from '../route';
import { Refusal, removeTask, type Task } from '../server/api';
import { runAgain } from '../task/again';
import { askStop } from '../task/stop';
import { askRemove } from './picks';

/** What can be done with one row, by its buttons or by keys. */
export class RowActions {
  readonly #open: (id: string) => void;
  readonly #complain: (message: string) => void;
  readonly #removed: (id: string) => void;

  /** @param removed is called for each task that is removed */
  constructor(open: (id: string) => void, complain: (message: string) => void, removed: (id: string) => void) {
    this.#open = open;
    this.#complain = complain;
    this.#removed = removed;
  }

  /** The buttons of a row. They are reached by keys with the row's keys only: four more stops for each row would be in the way. */
  buttons(task: () => Task): HTMLElement {
    const icon = (name: string, title: string, act: () => void): HTMLButtonElement => {
      const made = button('', { className: 'icon', title, ariaLabel: title, tabIndex: -1 }, act);
      made.dataset['icon'] = name;
      return made;
    };
    const stop = icon('stop', 'Stop (s)', () => this.#stop(task()));
    const again = icon('again', 'Run again (r)', () => this.#again(task()));
    const link = icon('link', 'Copy link (c)', () => this.#copyLink(task()));
    const remove = icon('remove', 'Remove (Delete)', () => this.#remove(task()));
    return element('div', { className: 'row-actions' }, stop, again, link, remove);
  }

  key(key: string, task: Task): boolean {
    if (key === 's' && task.outcome === null) this.#stop(task);
    else if (key === 'r' && task.outcome !== null) this.#again(task);
    else if (key === 'Delete' && task.outcome !== null) this.#remove(task);
    else if (key === 'c') this.#copyLink(task);
    else return false;
    return true;
  }

  #stop(task: Task): void {
    askStop(task, this.#complain);
  }

  #again(task: Task): void {
    runAgain(task.task_id).then(this.#open, (why: unknown) => this.#refused(why));
  }

  #remove(task: Task): void {
    askRemove([task], () => {
      removeTask(task.task_id).then(
        () => this.#removed(task.task_id),
        (why: unknown) => this.#refused(why),
      );
    });
  }

  #refused(why: unknown): void {
    if (!(why instanceof Refusal)) throw why;
    this.#complain(why.message);
  }

  #copyLink(task: Task): void {
    const link = new URL(taskAddress(task.task_id), location.href).href;
    copy(link).then(
      () => this.#complain('Link copied.'),
      (why: Error) => this.#complain(why.message),
    );
  }
}
