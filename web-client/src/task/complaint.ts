import { element, say } from '../page/element';

const SHOWN_MS = 8_000;

/** A failed operation, shown for a while. */
export class Complaint {
  readonly root = element('p', { className: 'complaint', role: 'alert' });
  #until: ReturnType<typeof setTimeout> | undefined;

  say(message: string): void {
    say(this.root, message);
    clearTimeout(this.#until);
    this.#until = setTimeout(() => say(this.root, ''), SHOWN_MS);
  }
}
