import { readFrame } from '../frames/parse';
import type { AgentSpec } from '../frames/frames';
import { recordOfTask, type StreamRecord } from '../ledger/stream-record';
import { button, element, say } from '../page/element';
import { Refusal, type Task } from '../server/api';
import { inputOf } from './input';
import { Conversation, type Item } from './model';
import { QuestionBar } from './question';
import { Relatives } from './relatives';
import { rowOf, type ItemRow } from './rows';
import { Side } from './side';
import { SteerBox } from './steer';
import './conversation.css';

const FRAMES = 20_000; // read at once; earlier ones on request
const ITEMS = 100; // shown at once, and added by a step to earlier or later ones
const MOST_ITEMS = 400; // shown in all
const AGAIN_MS = 1_000;
const NEAR_PX = 8; // a scroll position this near to the end counts as the end

/** An agent task as a conversation, live, with a field to continue it. Followed at its end unless it is scrolled up. */
export class ConversationView {
  readonly root: HTMLElement;
  readonly #agent: AgentSpec;
  readonly #record: StreamRecord;
  readonly #list = element('ol', { className: 'turns' });
  readonly #earlier = button('Show earlier', { className: 'more', hidden: true }, () => this.#showEarlier());
  readonly #later = button('Show later', { className: 'more', hidden: true }, () => this.#showLater());
  readonly #note = element('p', { className: 'note', role: 'status' }, 'Loading…');
  readonly #scrolled: HTMLElement;
  readonly #question: QuestionBar;
  readonly #steer: SteerBox;
  readonly #rows = new Map<Item, ItemRow>();
  #side: Side;
  #relatives: Relatives;
  #task: Task;
  #talk = new Conversation();
  #from = 0; // the first item that is shown
  #to = Infinity; // the item behind the last one; infinite while the end is shown
  #first: number; // the frame that the conversation was read from
  #stop = new AbortController();
  #follows = true;
  #scrolledTo = 0;
  #drawing = 0;

  /** @param resumed is called when another run has begun */
  constructor(task: Task, agent: AgentSpec, place: HTMLElement, resumed: () => void) {
    this.#task = task;
    this.#agent = agent;
    this.#record = recordOfTask(task);
    this.#scrolled = element(
      'div',
      { className: 'scrolled', tabIndex: 0, role: 'region', ariaLabel: 'Conversation' },
      this.#earlier,
      this.#list,
      this.#later,
      this.#note,
    );
    this.#question = new QuestionBar(task.task_id);
    this.#steer = new SteerBox(task, resumed, () => this.#scrolled.focus());
    this.#relatives = new Relatives(task, this.#talk.children);
    this.#side = new Side(agent, this.#relatives.root);
    this.root = element(
      'div',
      { className: 'conversation' },
      element('div', { className: 'talk' }, this.#scrolled, this.#question.root, this.#steer.root),
      this.#side.root,
    );
    this.#scrolled.addEventListener('scroll', () => this.#moved());
    this.#scrolled.addEventListener('keydown', (event) => this.#key(event));
    // A reader who unfolds something reads it, so it stays where it is.
    this.#scrolled.addEventListener('toggle', () => (this.#follows &&= this.#isAtEnd), { capture: true });
    place.append(this.root);
    this.#steer.comes();
    this.#first = Math.max(0, this.#record.count - FRAMES);
    void this.#read();
  }

  update(task: Task): void {
    this.#task = task;
    this.#drawSoon();
  }

  /** Whether a message is on its way to the agent. */
  get isSending(): boolean {
    return this.#steer.isSending;
  }

  /** Goes to the field for a message. */
  write(): void {
    this.#steer.focus();
  }

  close(): void {
    this.#steer.leaves();
    this.#stop.abort();
    this.#relatives.close();
    cancelAnimationFrame(this.#drawing);
    this.root.remove();
  }

  /** Reads to the end of the task; reconnects when the connection breaks. */
  async #read(): Promise<void> {
    const { signal } = this.#stop;
    let next = this.#first;
    let isOver = false;
    while (!signal.aborted && !isOver) {
      try {
        for await (const json of this.#record.events(next, signal, () => say(this.#note, ''))) {
          if (signal.aborted) return;
          const frame = readFrame(json);
          next = frame.frame.seq + 1;
          this.#talk.add(frame);
          this.#drawSoon();
          isOver ||= this.#record.isLast(frame);
        }
      } catch (refused) {
        if (signal.aborted) return;
        say(this.#note, refused instanceof Refusal ? refused.message : 'The connection broke. Reconnecting…');
        if (refused instanceof Refusal && refused.status >= 400 && refused.status < 500) return;
      }
      if (!isOver) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** Reads again, from earlier frames on. */
  #readEarlier(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#relatives.close();
    this.#first = Math.max(0, this.#first - FRAMES);
    this.#talk = new Conversation();
    this.#relatives = new Relatives(this.#task, this.#talk.children);
    const side = new Side(this.#agent, this.#relatives.root);
    this.#side.root.replaceWith(side.root);
    this.#side = side;
    this.#rows.clear();
    this.#list.replaceChildren();
    this.#from = 0;
    this.#to = ITEMS;
    void this.#read();
  }

  #showEarlier(): void {
    this.#follows = false;
    if (this.#from === 0) {
      this.#readEarlier();
      return;
    }
    const from = Math.max(0, this.#from - ITEMS);
    this.#show(from, from + MOST_ITEMS, this.#list.firstElementChild);
  }

  #showLater(): void {
    const to = this.#to + ITEMS;
    this.#show(Math.max(0, to - MOST_ITEMS), to, this.#list.lastElementChild);
  }

  #toEnd(): void {
    this.#follows = true;
    this.#show(Math.max(0, this.#talk.items.length - ITEMS), Infinity, null);
  }

  /** @param still the row that keeps its place in the window; null shows the end */
  #show(from: number, to: number, still: Element | null): void {
    const before = still?.getBoundingClientRect().top ?? 0;
    this.#from = from;
    this.#to = to >= this.#talk.items.length ? Infinity : to;
    this.#draw();
    if (still?.isConnected === true) this.#scrolled.scrollTop += still.getBoundingClientRect().top - before;
    this.#scrolledTo = this.#scrolled.scrollTop;
  }

  #key(event: KeyboardEvent): void {
    if (event.target !== this.#scrolled || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'End') this.#toEnd();
    else if (event.key === 'Home') {
      this.#follows = false;
      this.#show(0, MOST_ITEMS, null);
      this.#scrolled.scrollTop = 0;
    } else return;
    event.preventDefault();
  }

  /** Draws once, with the next animation frame. */
  #drawSoon(): void {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => {
      if (this.#follows) this.#moved();
      this.#draw();
    });
  }

  #draw(): void {
    const { items, changed } = this.#talk;
    // Read on while somebody reads what was said before, the conversation keeps what is shown.
    if (this.#to === Infinity && (this.#follows ? items.length - this.#from > 2 * ITEMS : items.length - this.#from > MOST_ITEMS)) {
      if (this.#follows) this.#from = items.length - ITEMS;
      else this.#to = this.#from + MOST_ITEMS;
    }
    const shown = items.slice(this.#from, this.#to);
    const wanted = new Set(shown);
    for (const [item, row] of this.#rows) {
      if (wanted.has(item)) continue;
      row.root.remove();
      this.#rows.delete(item);
    }
    shown.forEach((item, at) => {
      let row = this.#rows.get(item);
      if (row === undefined) {
        row = rowOf(item, this.#task.task_id);
        this.#rows.set(item, row);
        row.draw();
      } else if (changed.has(item)) {
        row.draw();
      }
      if (this.#list.children[at] !== row.root) this.#list.insertBefore(row.root, this.#list.children[at] ?? null);
    });
    changed.clear();
    this.#earlier.hidden = this.#from === 0 && this.#first === 0;
    this.#later.hidden = this.#to >= items.length;
    this.#side.show(this.#talk);
    this.#question.show(this.#task.outcome === null ? this.#talk.question : null);
    this.#steer.show(inputOf(this.#task, this.#agent, this.#talk));
    if (!this.#follows) return;
    this.#scrolled.scrollTop = this.#scrolled.scrollHeight;
    this.#scrolledTo = this.#scrolled.scrollTop;
  }

  /** A scroll upwards stops following; a scroll to the end follows again. */
  #moved(): void {
    const { scrollTop } = this.#scrolled;
    if (scrollTop < this.#scrolledTo) this.#follows = false;
    else if (scrollTop > this.#scrolledTo && this.#isAtEnd) this.#follows = this.#to === Infinity;
    this.#scrolledTo = scrollTop;
  }

  get #isAtEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#scrolled;
    return scrollHeight - clientHeight - scrollTop < NEAR_PX;
  }
}
