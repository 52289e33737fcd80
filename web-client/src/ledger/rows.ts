import type { Channel, Frame, ToolTaskStatus } from '../frames/frames';
import { element } from '../page/element';
import { visible } from '../page/visible';
import { clockTime } from '../replay/words';
import { outputOf, sentenceOf, typed, unseen, type Sentence } from './sentences';

/** The row at the top of the view, to keep it in place. */
export interface Place {
  readonly seq: number;
  readonly by: number;
}

/** The rows of a record. Consecutive output is one row, and so is typed text up to Enter. */
export class RecordRows {
  readonly root = element('ol', { className: 'timeline' });
  readonly #addressOf: (seq: number) => string;
  readonly #marked: number | null;
  /** The time of the first frame: all times count from here. */
  begun: number | undefined;
  #output: { what: HTMLElement; stream: Channel; count: number; bytes: number } | undefined;
  #typed: { what: HTMLElement; text: string; unseen: number } | undefined;
  #waits = false; // for input

  /** @param marked the frame that always has a row of its own, which is highlighted */
  constructor(addressOf: (seq: number) => string, marked: number | null) {
    this.#addressOf = addressOf;
    this.#marked = marked;
  }

  get count(): number {
    return this.root.childElementCount;
  }

  /** The frame of the first row. */
  get first(): number {
    return seqOf(this.root);
  }

  /** The first row that reaches below this height of the window, and how far below it the row begins. */
  below(height: number): Place | undefined {
    const line = [...this.root.children].find((each) => each.getBoundingClientRect().bottom > height);
    return line && { seq: seqOf(line), by: line.getBoundingClientRect().top - height };
  }

  /** How far the row has moved from this height of the window since. */
  moved({ seq, by }: Place, height: number): number {
    // Read from an earlier frame, it may be part of a row with others.
    const line = [...this.root.children].findLast((each) => seqOf(each) <= seq);
    return line === undefined ? 0 : line.getBoundingClientRect().top - height - by;
  }

  show(frame: Frame): void {
    const { seq, timestamp_ms } = frame.frame;
    if (frame.known && seq !== this.#marked && (frame.frame.type === 'task_resource_usage' || this.#joins(frame))) return;
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

  forgetOldest(): void {
    this.root.firstElementChild?.remove();
  }

  clear(): void {
    this.root.replaceChildren();
    this.#output = this.#typed = undefined;
  }

  /** Output joins the row of the output before it, and typed keys join theirs until Enter, although their echo comes in between. */
  #joins({ frame }: Frame): boolean {
    if (frame.type === 'tool_task_output_delta' && 'stream' in frame && this.#output?.stream === frame.stream) {
      const { artifacts } = frame as { artifacts: { log: { bytes: number } } };
      this.#output.count++;
      this.#output.bytes += artifacts.log.bytes;
      this.#output.what.textContent = outputOf(this.#output.stream, this.#output.bytes, this.#output.count);
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

  /** Whether a status adds nothing: the task resumes because of input, or waits for the rest of a typed line. */
  #saysNothing({ phase, question, cause }: ToolTaskStatus): boolean {
    const waited = this.#waits;
    this.#waits = phase === 'awaiting_input' && question === null;
    return this.#waits ? this.#typed !== undefined : waited && phase === 'running' && cause === 'request';
  }

  #type(base64: string | null, count: number): void {
    if (this.#typed === undefined) return;
    if (base64 === null) this.#typed.unseen += count;
    else this.#typed.text += typed(base64);
    this.#typed.what.textContent = base64 === null ? unseen(this.#typed.unseen) : visible(`Typed ${this.#typed.text}`);
    if (this.#typed.text.endsWith('⏎')) this.#output = this.#typed = undefined;
  }

  #row(seq: number, at: number, sentence: Sentence): HTMLElement {
    const what = element(
      'span',
      { className: 'what', title: sentence.what.length > 200 ? sentence.what : '' },
      sentence.href === undefined ? sentence.what : element('a', { href: sentence.href }, sentence.what),
    );
    const then = new Date(at);
    const row = element(
      'li',
      {},
      element(
        'a',
        {
          className: 'seq',
          href: this.#addressOf(seq),
          title: 'Link to this frame',
        },
        String(seq),
      ),
      element('time', { dateTime: then.toISOString(), title: then.toLocaleString() }, sinceOf(at - (this.begun ?? at))),
      what,
      element('span', { className: 'who' }, sentence.who ?? ''),
    );
    row.dataset['kind'] = sentence.kind;
    row.classList.toggle('marked', seq === this.#marked);
    this.root.append(row);
    return what;
  }
}

/** The seq of a row, or of its first frame. */
function seqOf(lines: Element): number {
  return Number(lines.querySelector('.seq')?.textContent ?? 0);
}

function sinceOf(ms: number): string {
  return ms < 60_000 ? `+${(ms / 1000).toFixed(2)} s` : `+${clockTime(ms)}`;
}
