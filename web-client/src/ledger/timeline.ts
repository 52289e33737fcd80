import type { Channel, Frame, ToolTaskStatus } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { button, element, say } from '../page/element';
import { clockTime } from '../replay/words';
import { addressOf } from '../route';
import { events, Refusal, timeOf } from '../server/api';
import { bytes } from '../server/health';
import { sentenceOf, typed, unseen, type Sentence } from './sentences';

const FRAMES = 500; // shown at once: what comes before and after is shown when asked for
const MOST_ROWS = 5_000; // of a task that goes on for days, the oldest go first
const AGAIN_MS = 1_000;

/** A task's record, frame by frame: who did what, when. Output in a row is told in one line. */
export class Timeline {
  readonly root: HTMLElement;
  readonly #taskId: string;
  readonly #list = element('ol', { className: 'timeline' });
  readonly #earlier: HTMLButtonElement;
  readonly #later = button('Show what came after', { className: 'more', hidden: true }, () => this.#showLater());
  readonly #note = element('p', { className: 'note', role: 'status' });
  readonly #marked: number | null;
  #stop = new AbortController();
  #first: number;
  #next: number;
  #until: number; // beyond it somebody has to ask for more; infinite where all is shown as it comes
  readonly #known: number; // how many there were when it was opened
  #begun: number | undefined;
  #output: { what: HTMLElement; stream: Channel; count: number; bytes: number } | undefined;
  #typed: { what: HTMLElement; text: string; unseen: number } | undefined;
  #waits = false; // for input

  /** @param nextSeq how many frames there are now @param marked the one that the address names */
  constructor(taskId: string, nextSeq: number, marked: number | null, place: HTMLElement) {
    this.#taskId = taskId;
    this.#marked = marked;
    this.#first = Math.max(0, Math.min(nextSeq - FRAMES, (marked ?? nextSeq) - FRAMES / 2));
    this.#next = this.#first;
    this.#known = nextSeq;
    this.#until = this.#limit(this.#first + FRAMES);
    this.#earlier = button('Show what came before', { className: 'more', hidden: this.#first === 0 }, () =>
      this.#showEarlier(),
    );
    this.root = element(
      'div',
      { className: 'scrolled', tabIndex: 0, role: 'region', ariaLabel: 'Timeline' },
      this.#earlier,
      this.#list,
      this.#later,
      this.#note,
    );
    place.append(this.root);
    this.#focus();
    void this.#read();
  }

  close(): void {
    this.#stop.abort();
    this.root.remove();
  }

  /** So that keys scroll it; but who has come with the keyboard stays where it was, and in a dialog. */
  #focus(): void {
    const at = document.activeElement;
    if (at?.matches(':focus-visible') !== true && at?.closest('dialog') == null) this.root.focus({ preventScroll: true });
  }

  #showEarlier(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    if (this.#until !== Infinity) this.#until = this.#next;
    this.#first = Math.max(0, this.#first - FRAMES);
    this.#next = this.#first;
    this.#earlier.hidden = this.#first === 0;
    this.#later.hidden = true;
    this.#list.replaceChildren();
    this.#output = this.#typed = undefined;
    void this.#read();
  }

  #showLater(): void {
    this.#until = this.#limit(this.#until + FRAMES);
    this.#later.hidden = true;
    void this.#read();
  }

  #limit(seq: number): number {
    return seq >= this.#known ? Infinity : seq;
  }

  /** To where it was asked for, or to the end, coming back whenever the connection breaks. */
  async #read(): Promise<void> {
    const { signal } = this.#stop;
    let ended = false;
    while (!signal.aborted && !ended) {
      try {
        this.#begun ??= await timeOf(this.#taskId, 0);
        for await (const json of events(this.#taskId, this.#next, signal)) {
          if (signal.aborted) return;
          const frame = readFrame(json);
          this.#next = frame.frame.seq + 1;
          this.#show(frame);
          say(this.#note, '');
          ended = frame.known && frame.frame.type === 'tool_task_status' && frame.frame.phase === 'ended';
          if (this.#next >= this.#until) {
            this.#later.hidden = false;
            this.#stop.abort();
            this.#stop = new AbortController();
            return;
          }
        }
      } catch (refused) {
        if (signal.aborted) return;
        say(this.#note, refused instanceof Refusal ? refused.message : 'The connection broke; trying again.');
        if (refused instanceof Refusal && refused.status >= 400 && refused.status < 500) return;
      }
      if (!ended) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }

  #show(frame: Frame): void {
    const { seq, timestamp_ms } = frame.frame;
    if (frame.known && seq !== this.#marked && this.#joins(frame)) return;
    const what = this.#row(seq, timestamp_ms, sentenceOf(frame));
    if (frame.known && frame.frame.type === 'tool_task_output_delta') {
      this.#output = { what, stream: frame.frame.stream, count: 1, bytes: frame.frame.artifacts.log.bytes };
    } else if (frame.known && frame.frame.type === 'tool_task_stdin_written') {
      this.#typed = { what, text: '', unseen: 0 };
      this.#type(frame.frame.chunk_b64, frame.frame.bytes);
    } else {
      this.#output = this.#typed = undefined;
    }
  }

  /** Pieces of output go on in the line of the one before, and keys in the line of theirs, whose echo comes in between, until Enter. */
  #joins({ frame }: Frame): boolean {
    if (frame.type === 'tool_task_output_delta' && 'stream' in frame && this.#output?.stream === frame.stream) {
      const { artifacts } = frame as { artifacts: { log: { bytes: number } } };
      this.#output.count++;
      this.#output.bytes += artifacts.log.bytes;
      this.#output.what.textContent = `Wrote ${bytes(this.#output.bytes)} to ${frame.stream === 'pty' ? 'the terminal' : String(frame.stream)}, in ${this.#output.count} pieces`;
      return true;
    }
    if (
      frame.type === 'tool_task_stdin_written' &&
      'chunk_b64' in frame &&
      this.#typed !== undefined &&
      (frame.chunk_b64 === null) === this.#typed.unseen > 0
    ) {
      this.#type(frame.chunk_b64 as string | null, frame.bytes as number);
      return true;
    }
    return frame.type === 'tool_task_status' && 'phase' in frame && this.#saysNothing(frame as ToolTaskStatus);
  }

  /** That it goes on for what was typed; and, in the middle of a line, that it waits for the rest of it. */
  #saysNothing({ phase, question, cause }: ToolTaskStatus): boolean {
    const waited = this.#waits;
    this.#waits = phase === 'awaiting_input' && question === null;
    return this.#waits ? this.#typed !== undefined : waited && phase === 'running' && cause === 'request';
  }

  #type(base64: string | null, count: number): void {
    if (this.#typed === undefined) return;
    if (base64 === null) this.#typed.unseen += count;
    else this.#typed.text += typed(base64);
    this.#typed.what.textContent = base64 === null ? unseen(this.#typed.unseen) : `Typed ${this.#typed.text}`;
    if (this.#typed.text.endsWith('⏎')) this.#output = this.#typed = undefined;
  }

  #forgetOldest(): void {
    this.#list.firstElementChild?.remove();
    this.#first = Number(this.#list.querySelector('.seq')?.textContent ?? this.#first);
    this.#earlier.hidden = false;
  }

  #row(seq: number, at: number, sentence: Sentence): HTMLElement {
    const what = element(
      'span',
      { className: 'what', title: sentence.what.length > 200 ? sentence.what : '' },
      sentence.what,
    );
    const then = new Date(at);
    const row = element(
      'li',
      {},
      element(
        'a',
        {
          className: 'seq',
          href: addressOf({ page: 'task', id: this.#taskId, tab: 'timeline', seq }),
          title: 'A link to this place',
        },
        String(seq),
      ),
      element(
        'time',
        { dateTime: then.toISOString(), title: then.toLocaleString() },
        sinceOf(at - (this.#begun ?? at)),
      ),
      what,
      element('span', { className: 'who' }, sentence.who ?? ''),
    );
    row.dataset['kind'] = sentence.kind;
    this.#list.append(row);
    if (this.#list.childElementCount > MOST_ROWS) this.#forgetOldest();
    if (seq === this.#marked) {
      row.classList.add('marked');
      row.scrollIntoView({ block: 'center' });
    }
    return what;
  }
}

function sinceOf(ms: number): string {
  return ms < 60_000 ? `+${(ms / 1000).toFixed(2)} s` : `+${clockTime(ms)}`;
}
