import { readFrame } from '../frames/parse';
import { button, element, say } from '../page/element';
import { Refusal } from '../server/api';
import type { StreamRecord } from './stream-record';
import { RecordRows, type Place } from './rows';
import { noFrame } from './sentences';

const FRAMES = 500; // shown at once; earlier and later ones are loaded on request
const MOST_ROWS = 5_000; // of a task that runs for days, the oldest rows are removed
const AGAIN_MS = 1_000;
const NEAR_PX = 8; // a scroll position this near to the end counts as the end

/** A record, frame by frame: who did what, when. An open record is followed at its newest frame. */
export class Timeline {
  readonly root: HTMLElement;
  readonly #record: StreamRecord;
  readonly #rows: RecordRows;
  readonly #scrolled: HTMLElement;
  /** The place of further controls. */
  readonly tools: HTMLElement;
  readonly #earlier = button('Load earlier', { className: 'more' }, () => this.#showEarlier());
  readonly #later = button('Load later', { className: 'more', hidden: true }, () => this.#showLater());
  readonly #note = element('p', { className: 'note', role: 'status' });
  readonly #unknown = element('p', { className: 'note', role: 'status' });
  #stop = new AbortController();
  #next = 0;
  #until = Infinity; // later frames are loaded on request; infinite while the view follows the record
  #known: number; // the number of frames, as last read
  #follows = false; // stays at the newest frame
  #sought: number | null; // the frame to scroll to when it has arrived
  #kept: Place | undefined; // the row that keeps its place while rows are read again
  #scrolledTo = 0;
  #drawing = 0;
  #forgot = false; // rows were removed since the last drawing, which moves the view like a scroll

  /** @param marked the frame that the address names; NaN for a number that no frame can have */
  constructor(record: StreamRecord, marked: number | null, place: HTMLElement) {
    this.#record = record;
    this.#known = record.count;
    this.#sought = marked;
    this.#rows = new RecordRows((seq) => record.addressOf(seq), marked);
    this.#scrolled = element(
      'div',
      { className: 'scrolled', tabIndex: 0, role: 'region', ariaLabel: 'Timeline' },
      this.#earlier,
      this.#rows.root,
      this.#later,
      this.#note,
    );
    this.tools = element(
      'div',
      { className: 'tools', role: 'toolbar', ariaLabel: 'Go to' },
      this.#unknown,
      button('Oldest', { title: 'Go to the first frame (Home)' }, () => this.#toBeginning()),
      button('Latest', { title: 'Go to the last frame and follow (End)' }, () => this.#toNewest()),
    );
    this.root = element('div', { className: 'timeline-view' }, this.#scrolled, this.tools);
    this.#scrolled.addEventListener('scroll', () => this.#moved());
    this.#scrolled.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || (event.key !== 'Home' && event.key !== 'End')) return;
      event.preventDefault();
      if (event.key === 'Home') this.#toBeginning();
      else this.#toNewest();
    });
    place.append(this.root);
    this.#focus();
    const isThere = marked !== null && marked < record.count;
    if (marked !== null && !isThere) say(this.#unknown, noFrame(marked, record));
    const last = record.count - FRAMES;
    const first = Math.max(0, isThere ? Math.min(last, marked - FRAMES / 2) : last);
    // A short record that is complete is read from its beginning.
    this.#follows = !isThere && (record.isOpen || first > 0);
    this.#begin(first, first + FRAMES);
  }

  close(): void {
    this.#stop.abort();
    cancelAnimationFrame(this.#drawing);
    this.root.remove();
  }

  /** Focuses the rows, so that keys scroll them; a focus that came by the keyboard, or is in a dialog, stays. */
  #focus(): void {
    const at = document.activeElement;
    if (at?.matches(':focus-visible') !== true && at?.closest('dialog') == null)
      this.#scrolled.focus({ preventScroll: true });
  }

  #toBeginning(): void {
    this.#follows = false;
    if (this.#earlier.hidden) this.#scrolled.scrollTop = 0;
    else this.#begin(0, FRAMES);
  }

  #toNewest(): void {
    this.#follows = true;
    if (this.#until === Infinity && this.#later.hidden) {
      this.#drawSoon();
      return;
    }
    this.#record.recount().then(
      (count) => {
        this.#known = count;
        this.#begin(Math.max(0, count - FRAMES), count);
      },
      (refused: Error) => say(this.#note, refused.message),
    );
  }

  #showEarlier(): void {
    this.#follows = false;
    const place = this.#rows.below(this.#top);
    this.#begin(Math.max(0, this.#rows.first - FRAMES), this.#next);
    this.#kept = place;
  }

  #showLater(): void {
    while (this.#rows.count > MOST_ROWS - FRAMES) this.#forgetOldest();
    this.#until = this.#limit(this.#next + FRAMES);
    this.#later.hidden = true;
    void this.#read();
  }

  #forgetOldest(): void {
    this.#rows.forgetOldest();
    this.#forgot = true;
    this.#earlier.hidden = false;
  }

  #limit(seq: number): number {
    return seq >= this.#known ? Infinity : seq;
  }

  #begin(first: number, until: number): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#next = first;
    this.#until = this.#limit(until);
    this.#kept = undefined;
    this.#rows.clear();
    this.#earlier.hidden = first === 0;
    this.#later.hidden = true;
    this.#scrolledTo = this.#scrolled.scrollTop; // the view is empty now, which is no scroll of the reader
    void this.#read();
  }

  /** Reads to the requested frame or the end; reconnects when the connection breaks. */
  async #read(): Promise<void> {
    const { signal } = this.#stop;
    let ended = false;
    while (!signal.aborted && !ended) {
      try {
        this.#rows.begun ??= await this.#record.timeOf(0);
        for await (const json of this.#record.events(this.#next, signal, () => say(this.#note, ''))) {
          if (signal.aborted) return;
          const frame = readFrame(json);
          this.#next = frame.frame.seq + 1;
          this.#rows.show(frame);
          if (this.#rows.count > MOST_ROWS) this.#forgetOldest();
          if (frame.frame.seq === this.#sought) this.#arrived();
          this.#drawSoon();
          ended ||= this.#record.isLast(frame);
          // A reader of earlier rows keeps them: when there are too many rows, later frames wait for a request.
          if (this.#next >= this.#until || (!this.#follows && this.#rows.count >= MOST_ROWS)) {
            this.#later.hidden = ended;
            this.#stop.abort();
            this.#stop = new AbortController();
            return;
          }
        }
      } catch (refused) {
        if (signal.aborted) return;
        say(this.#note, refused instanceof Refusal ? refused.message : 'The connection broke. Reconnecting…');
        if (refused instanceof Refusal && refused.status >= 400 && refused.status < 500) return;
      }
      if (!ended) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  /** The frame that the address names was read, perhaps long after the others. */
  #arrived(): void {
    this.#sought = null;
    say(this.#unknown, '');
    if (!this.#follows) this.#rows.root.lastElementChild?.scrollIntoView({ block: 'center' });
  }

  /** Draws once, with the next animation frame. */
  #drawSoon(): void {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => {
      // During an animated scroll, the position is often ahead of the events; drawing at the end would undo the scroll.
      if (this.#follows && !this.#forgot) this.#moved();
      this.#forgot = false;
      if (this.#follows) this.#scrolled.scrollTop = this.#scrolled.scrollHeight;
      else if (this.#kept !== undefined) this.#scrolled.scrollTop += this.#rows.moved(this.#kept, this.#top);
      else return;
      this.#scrolledTo = this.#scrolled.scrollTop;
    });
  }

  /** The upper edge of the visible rows in the window. */
  get #top(): number {
    return this.#scrolled.getBoundingClientRect().top;
  }

  /** A scroll upwards stops following the record; a scroll to the end follows it again. */
  #moved(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scrolled;
    if (scrollTop !== this.#scrolledTo) this.#kept = undefined;
    if (scrollTop < this.#scrolledTo) this.#follows = false;
    else if (scrollTop > this.#scrolledTo && scrollHeight - clientHeight - scrollTop < NEAR_PX)
      this.#follows = this.#until === Infinity && this.#later.hidden;
    this.#scrolledTo = scrollTop;
  }
}
