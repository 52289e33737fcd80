import { button, element, say } from '../page/element';
import { askFirst } from '../page/help';
import type { Choice } from '../page/palette';
import { Timeline } from '../ledger/timeline';
import { recordOfSession } from '../ledger/stream-record';
import { sessionAddress, SESSION_TABS, type SessionTab, type Wanted } from '../route';
import { Refusal } from '../server/api';
import { endSession } from '../server/sessions';
import { Complaint } from '../task/complaint';
import { taskList, type TaskList } from '../tasks/list';
import { requestsOf, SessionFeed } from './feed';
import { MailboxView } from './mailbox';
import { counted, runningIn, standingOf } from './words';

const NAMES: { readonly [tab in SessionTab]: string } = { tasks: 'Tasks', mailbox: 'Mailbox', timeline: 'Timeline' };

export interface SessionPageHost {
  start(command?: string): void;
  open(id: string): void;
  sessionsChanged(): void;
  failed(refusal: Refusal): void;
  answered(): void;
  /** The number of waiting items of the session has changed. */
  counted(waiting: number): void;
}

/** One session: its tasks, its mailbox and its timeline. */
export class SessionPage {
  readonly root: HTMLElement;
  readonly id: string;
  readonly #host: SessionPageHost;
  readonly #feed: SessionFeed;
  readonly #state = element('span', { className: 'state' });
  readonly #figures = element('span', { className: 'quiet figure' });
  readonly #tabs = element('nav', { className: 'tabs', ariaLabel: 'Views of the session' });
  readonly #end = button('End session', { className: 'danger', hidden: true }, () => this.#askEnd());
  readonly #complaint = new Complaint();
  readonly #place = element('div', { className: 'place' });
  #tab: SessionTab;
  #seq: number | null;
  #wanted: Wanted;
  #list: TaskList | undefined;
  #mailbox: MailboxView | undefined;
  #timeline: Timeline | undefined;
  #waiting = -1;
  #drawing = 0;
  readonly #seen = (): void => this.#feed.pause(document.visibilityState !== 'visible');

  constructor(id: string, tab: SessionTab, seq: number | null, wanted: Wanted, host: SessionPageHost) {
    this.id = id;
    this.#host = host;
    this.#tab = tab;
    this.#seq = seq;
    this.#wanted = wanted;
    this.#tabs.append(...SESSION_TABS.map((each) => element('a', { href: sessionAddress(id, each) }, NAMES[each])));
    this.root = element(
      'section',
      { className: 'task session-page' },
      element(
        'header',
        { className: 'task-head' },
        element('div', { className: 'title' }, this.#state, element('h1', { title: `Session ${id}` }, id)),
        element('div', { className: 'head-actions' }, this.#end),
        element('div', { className: 'facts-line' }, this.#figures),
        this.#tabs,
      ),
      this.#complaint.root,
      this.#place,
    );
    document.title = `${id} · Penstock`;
    this.#feed = new SessionFeed(
      requestsOf(id),
      () => this.#drawSoon(),
      (refusal) => host.failed(refusal),
    );
    document.addEventListener('visibilitychange', this.#seen);
    this.#seen();
    void this.#feed.run();
  }

  show(tab: SessionTab, seq: number | null, wanted: Wanted): void {
    const isSame = tab === this.#tab && tab === 'tasks' && this.#list !== undefined;
    this.#tab = tab;
    this.#seq = seq;
    this.#wanted = wanted;
    if (isSame) this.#list?.want(wanted);
    else this.#open();
  }

  /** The rows that keys move in. */
  get rows(): { move(by: number): void; search?(): void; key?(key: string): boolean } | undefined {
    return this.#list ?? this.#mailbox;
  }

  /** Its commands in the palette. */
  choices(): Choice[] {
    const views = SESSION_TABS.map((tab, i) => ({ name: NAMES[tab], hint: String(i + 1), act: () => this.#go(tab) }));
    return this.#end.hidden ? views : [...views, { name: 'End the session', hint: '', act: () => this.#askEnd() }];
  }

  /** A key that was pressed outside of fields; whether it did something. */
  key(key: string): boolean {
    const tab = SESSION_TABS[Number(key) - 1];
    if (tab !== undefined) this.#go(tab);
    return tab !== undefined;
  }

  close(): void {
    this.#feed.close();
    document.removeEventListener('visibilitychange', this.#seen);
    cancelAnimationFrame(this.#drawing);
    this.#closeView();
  }

  #go(tab: SessionTab): void {
    location.hash = sessionAddress(this.id, tab);
  }

  #closeView(): void {
    this.#list?.close();
    this.#timeline?.close();
    this.#list = this.#mailbox = this.#timeline = undefined;
    this.#place.replaceChildren();
  }

  /** Once the session is known: a session that does not exist has no views. */
  #open(): void {
    const { session } = this.#feed;
    if (session === undefined) return;
    this.#closeView();
    this.root.classList.toggle('fills', this.#tab === 'timeline');
    [...this.#tabs.children].forEach((each, i) => (each.ariaCurrent = SESSION_TABS[i] === this.#tab ? 'page' : null));
    if (this.#tab === 'timeline') {
      this.#timeline = new Timeline(recordOfSession(session), this.#seq, this.#place);
    } else if (this.#tab === 'mailbox') {
      this.#mailbox = new MailboxView(this.id, this.#feed, (message) => this.#complaint.say(message));
      this.#place.append(element('div', { className: 'list' }, this.#mailbox.root));
    } else {
      this.#list = taskList(this.#wanted, { ...this.#host, session: this.id });
      this.#place.append(this.#list.root);
    }
  }

  /** Draws once, with the next animation frame. */
  #drawSoon(): void {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    const { session } = this.#feed;
    if (session === undefined) return;
    this.#host.answered();
    if (this.#list === undefined && this.#mailbox === undefined && this.#timeline === undefined) this.#open();
    const { text, mood } = standingOf(session);
    this.#state.dataset['mood'] = mood;
    say(this.#state, text);
    const running = runningIn(session);
    const figures = [[running, 'running'], [session.tasks_ended, 'ended']] as const;
    say(this.#figures, figures.flatMap(([count, word]) => (count === 0 ? [] : `${count} ${word}`)).join(' · '));
    const { mailbox_waiting: waiting } = session;
    const mailbox = this.#tabs.children[SESSION_TABS.indexOf('mailbox')];
    if (mailbox !== undefined) say(mailbox, waiting === 0 ? NAMES.mailbox : `${NAMES.mailbox} (${waiting})`);
    this.#end.hidden = session.status === 'ended';
    this.#mailbox?.update();
    if (waiting !== this.#waiting) this.#host.counted(waiting);
    this.#waiting = waiting;
  }

  #askEnd(): void {
    const running = runningIn(this.#feed.session ?? { tasks_started: 0, tasks_ended: 0 });
    const tasks = running === 0 ? '' : `${counted(running, 'task')} of it ${running === 1 ? 'runs' : 'run'} on. `;
    askFirst(
      `End the session “${this.id}”?`,
      `${tasks}The mailbox can still be read. The next task that names the session starts it again.`,
      'End session',
      () => {
        endSession(this.id).catch((refused: unknown) => {
          if (!(refused instanceof Refusal)) throw refused;
          this.#complaint.say(refused.message);
        });
      },
    );
  }
}
