import { button, element, say } from '../page/element';
import { askFirst } from '../page/help';
import { moveFocus } from '../page/move';
import { hitAddress, sessionAddress, taskAddress } from '../route';
import { Refusal } from '../server/api';
import { acknowledge, type MailboxItem } from '../server/sessions';
import { duration } from '../server/health';
import { shortTime } from '../tasks/words';
import type { SessionFeed } from './feed';
import { counted, moodOfEnd, nameOfItem, stateOfEnd } from './words';

/** The items of a session's mailbox, oldest first, with their acknowledgement. */
export class MailboxView {
  readonly root: HTMLElement;
  readonly #id: string;
  readonly #feed: SessionFeed;
  readonly #complain: (message: string) => void;
  readonly #list = element('ol', { className: 'rows items', role: 'list', ariaLabel: 'Mailbox items' });
  readonly #table = element('div', { className: 'table sheet' }, this.#list);
  readonly #said = element('p', { className: 'note', role: 'status' });
  readonly #all = button('Acknowledge all', { hidden: true }, () => this.#askAll());
  readonly #more = button('Show more', { className: 'more', hidden: true }, () => void this.#attempt(this.#feed.more()));
  readonly #empty = element(
    'div',
    { className: 'empty', hidden: true },
    element('h2', {}, 'The mailbox is empty'),
    element('p', {}, 'It receives an item when a task of this session ends, and when a watcher matches.'),
  );
  readonly #rows = new Map<number, HTMLLIElement>();

  constructor(id: string, feed: SessionFeed, complain: (message: string) => void) {
    this.#id = id;
    this.#feed = feed;
    this.#complain = complain;
    this.root = element(
      'div',
      { className: 'mailbox' },
      element('div', { className: 'mailbox-head' }, this.#said, this.#all),
      this.#empty,
      this.#table,
      this.#more,
    );
    this.update();
  }

  update(): void {
    const { items, session, hasMore } = this.#feed;
    const wanted = new Set(items.map(({ seq }) => seq));
    const focused = this.#list.contains(document.activeElement);
    for (const [seq, row] of this.#rows) {
      if (wanted.has(seq)) continue;
      row.remove();
      this.#rows.delete(seq);
    }
    items.forEach((item, at) => {
      const row = this.#rows.get(item.seq) ?? this.#row(item);
      this.#rows.set(item.seq, row);
      if (this.#list.children[at] !== row) this.#list.insertBefore(row, this.#list.children[at] ?? null);
      const acknowledges = row.lastElementChild;
      // The server acknowledges an item together with all before it.
      if (acknowledges !== null) say(acknowledges, at === 0 ? 'Acknowledge' : 'Acknowledge to here');
    });
    // An acknowledged row had the focus: the next one gets it.
    if (focused && !this.#list.contains(document.activeElement)) this.#list.querySelector('button')?.focus();
    const waiting = session?.mailbox_waiting ?? 0;
    this.#table.hidden = items.length === 0;
    this.#empty.hidden = session === undefined || waiting > 0 || items.length > 0;
    this.#all.hidden = items.length < 2;
    this.#more.hidden = !hasMore || items.length === 0;
    const first = items.length < waiting ? `, the first ${items.length} are shown` : '';
    say(this.#said, waiting === 0 ? '' : `${counted(waiting, 'item')} not acknowledged${first}`);
  }

  move(by: number): void {
    moveFocus(this.#list, by);
  }

  #row(item: MailboxItem): HTMLLIElement {
    const isHit = item.type === 'session_watcher_hit';
    const state = element('span', { className: 'state' }, isHit ? 'Hit' : stateOfEnd(item));
    state.dataset['mood'] = isHit ? 'waits' : moodOfEnd(item);
    if (isHit) state.dataset['icon'] = 'open';
    const href = isHit ? hitAddress(item.task_id, item.stream, item.task_seq) : taskAddress(item.task_id);
    const acknowledged = button('', {}, () => void this.#acknowledge(item.seq));
    return element(
      'li',
      { role: 'listitem' },
      element(
        'a',
        { className: 'row', href },
        state,
        element('span', { className: 'what' }, ...(isHit ? hitOf(item) : endOf(item))),
        element('span', { className: 'figure' }, shortTime(item.timestamp_ms, Date.now())),
      ),
      element(
        'a',
        {
          className: 'frame figure',
          href: sessionAddress(this.#id, 'timeline', item.seq),
          title: 'This item in the timeline of the session',
          ariaLabel: `Frame ${item.seq} in the timeline`,
        },
        `#${item.seq}`,
      ),
      acknowledged,
    );
  }

  #askAll(): void {
    const { items } = this.#feed;
    const last = items.at(-1);
    if (last === undefined) return;
    askFirst(
      `Acknowledge ${counted(items.length, 'item')}?`,
      'The items leave the mailbox for every reader of it. They stay in the timeline.',
      'Acknowledge all',
      () => void this.#acknowledge(last.seq),
    );
  }

  /** Acknowledges items; the frame that records it removes their rows. */
  async #acknowledge(throughSeq: number): Promise<void> {
    await this.#attempt(acknowledge(this.#id, throughSeq));
  }

  async #attempt(request: Promise<unknown>): Promise<void> {
    try {
      await request;
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused;
      this.#complain(refused.message);
    }
  }
}

function hitOf({ event, matched, task_id: id }: MailboxItem & { type: 'session_watcher_hit' }): HTMLElement[] {
  return [
    element('span', { className: 'name' }, event),
    element('span', { className: 'label', title: `Task ${id}` }, `task ${id.slice(0, 8)}`),
    element('span', { className: 'last' }, matched),
  ];
}

function endOf(item: Exclude<MailboxItem, { type: 'session_watcher_hit' }>): HTMLElement[] {
  const { label, duration_ms: ms, error } = item;
  const took = ms == null ? '' : `after ${duration(ms)}`;
  return [
    element('span', { className: 'name' }, nameOfItem(item)),
    element('span', { className: 'label', title: 'Label' }, label == null || label === nameOfItem(item) ? '' : label),
    element('span', { className: 'last' }, error ?? took),
  ];
}
