import { button, element, say } from '../page/element';
import { hitAddress, taskAddress } from '../route';
import type { Task } from '../server/api';
import type { Watcher } from '../server/watchers';
import { counted } from '../sessions/words';
import { shortTime } from '../tasks/words';
import { addForm } from './add';
import type { Hit, Hits } from './hits';

const SHOWN = 100; // hits in the list; the marks show all

/** The watchers of a task with the number of their hits, the newest hits, and a form that adds a watcher. */
export class WatchersView {
  readonly root: HTMLElement;
  readonly #taskId: string;
  readonly #hits: Hits;
  readonly #watchers = element('ul', { className: 'watchers', ariaLabel: 'Watchers' });
  readonly #none = element('p', { className: 'note' });
  readonly #found = element('ol', { className: 'found', ariaLabel: 'Hits' });
  readonly #shown = element('p', { className: 'note', role: 'status' });
  readonly #earlier = button('Read earlier hits', { hidden: true }, () =>
    this.#hits.readEarlier().catch((refused: Error) => say(this.#shown, refused.message)),
  );
  readonly #form: HTMLFormElement;
  readonly #cards = new Map<string, { root: HTMLElement; count: HTMLButtonElement }>();
  #only: string | null = null; // the watcher whose hits are listed
  #listed = '';

  constructor(task: Task, hits: Hits, place: HTMLElement) {
    this.#taskId = task.task_id;
    this.#hits = hits;
    this.#form = addForm(task.task_id, task.execution_mode, (watcher) => hits.add(watcher));
    this.root = element(
      'div',
      { className: 'scrolled watchers-view', tabIndex: 0, role: 'region', ariaLabel: 'Watchers' },
      this.#none,
      this.#watchers,
      this.#form,
      this.#shown,
      this.#found,
      this.#earlier,
    );
    place.append(this.root);
    this.update(task);
  }

  /** The task, its watchers or their hits have changed. */
  update(task: Task): void {
    const { watchers } = this.#hits;
    const isOver = task.outcome !== null;
    this.#form.hidden = isOver;
    this.#none.hidden = watchers.length > 0;
    say(
      this.#none,
      isOver
        ? 'Nothing watched the output of this task.'
        : 'A watcher searches the output for a pattern. Each match, a hit, is recorded, and is an item of the session’s mailbox.',
    );
    for (const watcher of watchers) this.#show(watcher);
    this.#list();
  }

  #show(watcher: Watcher): void {
    const { watcher_id: id } = watcher;
    let card = this.#cards.get(id);
    if (card === undefined) {
      const count = button('', { ariaPressed: 'false', title: 'List only the hits of this watcher' }, () => {
        this.#only = this.#only === id ? null : id;
        for (const [each, { count: pressed }] of this.#cards) pressed.ariaPressed = String(each === this.#only);
        this.#list();
      });
      card = { root: cardOf(watcher, this.#taskId, count), count };
      this.#cards.set(id, card);
      this.#watchers.append(card.root);
    }
    say(card.count, counted(this.#hits.countOf(id), 'hit'));
  }

  #list(): void {
    const of = this.#only === null ? this.#hits.all : this.#hits.all.filter(({ watcher }) => watcher === this.#only);
    const newest = of.slice(-SHOWN).reverse();
    this.#earlier.hidden = this.#hits.unreadBefore === null;
    say(
      this.#shown,
      of.length > SHOWN
        ? `The newest ${SHOWN} of ${of.length} hits`
        : this.#hits.watchers.length === 0
          ? ''
          : of.length === 0
            ? 'No hits yet'
            : counted(of.length, 'hit'),
    );
    const listed = `${this.#only} ${newest.length} ${newest[0]?.seq}`;
    if (listed === this.#listed) return; // keeps focus and selection
    this.#listed = listed;
    this.#found.replaceChildren(...newest.map((hit) => this.#row(hit)));
  }

  #row({ seq, frameSeq, at, event, channel, matched }: Hit): HTMLElement {
    return element(
      'li',
      {},
      element(
        'a',
        { href: hitAddress(this.#taskId, channel, channel === 'pty' ? frameSeq : seq), title: 'Show it in the output' },
        element('span', { className: 'figure quiet' }, shortTime(at, Date.now())),
        element('b', {}, event),
        element('code', {}, matched),
      ),
      element(
        'a',
        {
          className: 'seq figure',
          href: taskAddress(this.#taskId, 'timeline', seq),
          title: 'This hit in the timeline',
          ariaLabel: `Frame ${seq} in the timeline`,
        },
        `#${seq}`,
      ),
    );
  }
}

function cardOf(watcher: Watcher, taskId: string, count: HTMLElement): HTMLElement {
  const { regex, event, stream, once, scope, added_by: actor, seq } = watcher;
  const traits = [
    stream === null ? 'all output' : stream === 'pty' ? 'the terminal' : stream,
    ...(once ? ['only the first hit'] : []),
    ...(scope === 'window' ? ['across lines'] : []),
  ].join(' · ');
  const frame = element('a', { href: taskAddress(taskId, 'timeline', seq) }, `frame ${seq}`);
  return element(
    'li',
    { className: 'sheet' },
    element(
      'div',
      {},
      element('b', {}, event),
      element('code', {}, regex),
      element('p', { className: 'quiet' }, `${traits} · added by ${actor} in `, frame),
    ),
    count,
  );
}
