import { element, say } from '../page/element';
import { listSessions } from '../server/sessions';
import { counted } from './words';

const ASK_EVERY_MS = 15_000;
const SESSIONS = '200'; // the newest, in one request

/** The link to the sessions in the page's head, with the number of mailbox items that wait. */
export class MailboxBadge {
  readonly root: HTMLAnchorElement;
  readonly #count = element('span', { className: 'count', hidden: true, ariaHidden: 'true' });
  readonly #words = element('span', { className: 'unseen' });
  #isOn = false;
  /** Whether a list says when a session changes, so that nothing is asked meanwhile. */
  isTold = false;

  constructor(root: HTMLAnchorElement) {
    this.root = root;
    root.append(this.#count, this.#words);
    setInterval(() => void (this.isTold || this.refresh()), ASK_EVERY_MS);
    document.addEventListener('visibilitychange', () => void this.refresh());
  }

  /** Turns the count on while the user is signed in. */
  turn(on: boolean): void {
    if (on === this.#isOn) return;
    this.#isOn = on;
    if (on) void this.refresh();
    else this.#show(0);
  }

  async refresh(): Promise<void> {
    if (!this.#isOn || document.visibilityState !== 'visible') return;
    const page = await listSessions({ limit: SESSIONS }).catch(() => null);
    if (page === null || !this.#isOn) return; // the view that is shown reports the failure
    this.#show(page.rows.reduce((sum, { mailbox_waiting: waiting }) => sum + waiting, 0));
  }

  #show(waiting: number): void {
    this.#count.hidden = waiting === 0;
    say(this.#count, waiting > 99 ? '99+' : String(waiting));
    say(this.#words, waiting === 0 ? '' : `, ${counted(waiting, 'mailbox item waits', 'mailbox items wait')}`);
    this.root.title = waiting === 0 ? '' : `${counted(waiting, 'mailbox item')} not acknowledged`;
  }
}
