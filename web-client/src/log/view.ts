import { Attachment, type Join } from '../attach/attachment';
import { BROWSER } from '../attach/surroundings';
import type { Rights } from '../attach/wire';
import type { Channel, LogEnd } from '../frames/frames';
import { button, element } from '../page/element';
import type { Choice } from '../page/palette';
import { uniqueName } from '../page/unique';
import { linesOf, outputEnd, outputRange, wholeEnd } from '../server/api';
import type { Told } from '../terminal/view';
import { LogMarks, type Marked } from '../watchers/log-marks';
import { MergedLines } from './lines';
import { RangeLines } from './range-lines';
import { LinesSearch, OutputSearch, PartThenAll, type Search } from './search';
import { LogSearchBar } from './search-bar';
import { VirtualLines } from './virtual';

const COUNT_EVERY_MS = 2_000;
const WRAP = 'penstock.wrap';
const BEHIND_BYTES = 4 * 1024 * 1024; // how far a view that follows may lag: a burst of some tenths of a second is shown completely
const AGAIN_BYTES = 512 * 1024; // the same in a flood, where newer output is worth more
const FLOOD_MS = 10_000; // a leap at most this long ago belongs to the same flood
const LEAP_BYTES = 256 * 1024; // the newest output that is shown after a leap

/** The output of a task without a terminal: both channels in the order of arrival, or one channel from its beginning, of any size. */
export class LogView {
  readonly root: HTMLElement;
  readonly attachment: Attachment;
  readonly #taskId: string;
  readonly #merged = new MergedLines();
  readonly #view: VirtualLines;
  readonly #marks: LogMarks;
  /** The place of further controls. */
  readonly tools: HTMLElement;
  readonly #sources: HTMLElement;
  readonly #earlier = element('p', { className: 'earlier', hidden: true });
  readonly #nothing = element('p', { className: 'nothing', hidden: true });
  readonly #followKey: HTMLButtonElement;
  readonly #wrapKey: HTMLButtonElement;
  readonly #search = new LogSearchBar(
    (wanted) => this.#searchFor(wanted),
    (line) => this.#found(line),
    () => {
      this.#view.mark(-1);
      this.focus();
    },
  );
  #channel: Channel | null = null;
  #inAll: PartThenAll | undefined; // the search of both channels, where they are not shown whole
  #markWhenCounted: number | undefined;
  #lines = 0; // of the one channel that is shown, as counted last
  #count: ReturnType<typeof setInterval> | undefined;
  #ask: (() => void) | undefined; // requests the new size of that channel
  #ended = false;
  #leaptAt = -Infinity;

  /**
   * @param opens the channel to show at first, or null for both
   * @param fellBehind asks for {@link written} to be called soon
   */
  constructor(
    taskId: string,
    join: Join,
    opens: Channel | null,
    place: HTMLElement,
    told: Told,
    rights: Rights,
    fellBehind: () => void,
  ) {
    this.#taskId = taskId;
    this.#followKey = button('Follow', { ariaPressed: 'true', title: 'Stay at the newest line (f)' }, () =>
      this.follow(),
    );
    this.#wrapKey = button('Wrap', { ariaPressed: 'false', title: 'Break long lines (w)' }, () => this.wrap());
    this.#view = new VirtualLines(this.#merged, (follows) => (this.#followKey.ariaPressed = String(follows)));
    this.#sources = element('div', { className: 'segments', role: 'group', ariaLabel: 'What is shown' });
    for (const [text, channel] of [
      ['Both', null],
      ['stdout', 'stdout'],
      ['stderr', 'stderr'],
    ] as const) {
      this.#sources.append(button(text, { ariaPressed: String(channel === null) }, () => this.#show(channel)));
    }
    this.#marks = new LogMarks(() =>
      this.#channel === null
        ? { count: this.#merged.count, indicesOf: (channel, numbers) => this.#merged.indicesOf(channel, numbers) }
        : { count: this.#lines, only: this.#channel },
    );
    this.tools = element(
      'div',
      { className: 'tools', role: 'toolbar', ariaLabel: 'Log' },
      this.#sources,
      this.#search.root,
      button('Search', { title: 'Search (/)' }, () => this.search()),
      this.#followKey,
      this.#wrapKey,
    );
    this.root = element(
      'div',
      { className: 'log-view' },
      this.#earlier,
      this.#nothing,
      element('div', { className: 'log-place' }, this.#view.root, this.#marks.strip),
      this.tools,
    );
    place.append(this.root);
    if (localStorage.getItem(WRAP) === 'true') this.wrap();
    this.attachment = new Attachment(
      taskId,
      join,
      uniqueName(),
      {
        screen: () => undefined, // sent for terminals only
        output: (channel, bytes, parsed) => {
          this.#merged.add(channel, bytes);
          this.#drawMerged();
          parsed();
        },
        joinedAt: (channel, offset) => {
          this.#merged.joined(channel, offset);
          if (offset > 0) this.#leftOut();
        },
        frame: (frame) => {
          if (frame.known && frame.frame.type === 'tool_task_status' && frame.frame.phase === 'ended') {
            this.#ended = true;
            this.#ask?.();
          }
          this.#drawMerged();
          told.frame(frame);
        },
        standing: (standing) => {
          this.#drawMerged();
          told.standing(standing);
        },
        company: (company) => told.company(company),
        fellBehind: () => {
          if (!this.#followsBoth) return false;
          fellBehind();
          return true;
        },
        refused: (message) => told.refused(message),
      },
      BROWSER,
      rights,
    );
    if (opens !== null) this.#show(opens);
  }

  /** Skips to the latest output if the view follows and is far behind this. Beyond the output limit there is nothing to skip to. */
  written(logs: Partial<Record<Channel, LogEnd>>): void {
    const ends = Object.entries(logs) as [Channel, LogEnd][];
    if (!this.#followsBoth || this.#ended || ends.some(([, log]) => log.truncated)) return;
    const mayBe = performance.now() - this.#leaptAt < FLOOD_MS ? AGAIN_BYTES : BEHIND_BYTES;
    if (this.attachment.behind(new Map(ends.map(([channel, log]) => [channel, log.bytes_stored]))) < mayBe) return;
    this.#leaptAt = performance.now();
    this.#leftOut();
    this.attachment.leap(LEAP_BYTES);
  }

  allow(rights: Rights): void {
    this.attachment.allow(rights);
  }

  get #followsBoth(): boolean {
    return this.#channel === null && this.#followKey.ariaPressed === 'true';
  }

  focus(): void {
    this.#view.root.focus();
  }

  search(): void {
    this.#search.open();
  }

  /** Marks lines on the scrollbar. */
  mark(marked: Marked): void {
    this.#marks.show(marked);
  }

  /** Shows a line of a channel, counted from 1; beside the other channel's lines if it is among them. */
  goTo(channel: Channel, line: number): void {
    this.#search.reset();
    this.#inAll = undefined;
    const together = this.#channel === null ? this.#merged.indicesOf(channel, new Set([line])).get(line) : undefined;
    if (together !== undefined) {
      this.#view.mark(together);
      return;
    }
    if (this.#channel !== channel) this.#change(channel);
    this.#markSoon(line - 1);
  }

  /** Its commands in the palette. */
  choices(): Choice[] {
    return [
      { name: 'Search the log', hint: '/', act: () => this.search() },
      { name: 'Follow the log', hint: 'f', act: () => this.follow() },
      { name: 'Wrap long lines', hint: 'w', act: () => this.wrap() },
    ];
  }

  #searchFor(wanted: string): Search {
    this.#inAll = undefined;
    const inAllOf = (channel: Channel): Search =>
      new OutputSearch(
        wanted,
        (from, to, signal) => outputRange(this.#taskId, channel, from, to, signal),
        () => wholeEnd(this.#taskId, channel),
      );
    if (this.#channel !== null) return inAllOf(this.#channel);
    const shown = new LinesSearch(wanted, this.#merged);
    if (this.#earlier.childNodes.length === 0) return shown;
    return (this.#inAll = new PartThenAll(shown, [
      ['stdout', inAllOf('stdout')],
      ['stderr', inAllOf('stderr')],
    ]));
  }

  /** Shows the line, once the channel is known to have it. */
  #found(index: number): () => string {
    const channel = this.#inAll?.channel ?? this.#channel;
    if (channel !== this.#channel) this.#change(channel);
    this.#markSoon(index);
    return () => this.#placeOf(index, channel);
  }

  /** Marks a line, once its channel is known to have it. */
  #markSoon(index: number): void {
    const isCounted = this.#channel === null || index < this.#lines;
    this.#markWhenCounted = isCounted ? undefined : index;
    if (isCounted) this.#view.mark(index);
    else this.#ask?.();
  }

  /** The words for a found line. Its channel may be longer than when it was found. */
  #placeOf(index: number, channel: Channel | null): string {
    if (channel === null) {
      const line = this.#merged.at(index);
      return line?.number == null ? (line?.channel ?? '') : `${line.channel} ${line.number}`;
    }
    const place = `line ${index + 1}`;
    if (this.#inAll !== undefined) return `${place} of ${channel}`;
    return index < this.#lines ? `${place} of ${this.#lines}` : place;
  }

  follow(): void {
    this.#view.follow(this.#followKey.ariaPressed !== 'true');
  }

  wrap(): void {
    const wraps = this.#wrapKey.ariaPressed !== 'true';
    this.#wrapKey.ariaPressed = String(wraps);
    localStorage.setItem(WRAP, String(wraps));
    this.#view.wrap(wraps);
  }

  close(): void {
    this.attachment.close();
    this.#search.reset();
    clearInterval(this.#count);
    this.#marks.close();
    this.#view.close();
    this.root.remove();
  }

  #drawMerged(): void {
    if (this.#channel !== null) return;
    if (this.#merged.dropped > 0) this.#leftOut();
    this.#nothing.hidden = this.#merged.count > 0;
    this.#nothing.textContent = this.#ended ? 'No output.' : 'No output yet.';
    this.#view.changed();
    this.#marks.changed();
  }

  #leftOut(): void {
    if (this.#earlier.childNodes.length > 0) return;
    this.#earlier.hidden = false;
    this.#earlier.append(
      'Only the latest output is shown. Open the full output: ',
      button('stdout', { className: 'link' }, () => this.#show('stdout')),
      ' ',
      button('stderr', { className: 'link' }, () => this.#show('stderr')),
    );
  }

  #show(channel: Channel | null): void {
    this.#search.reset();
    this.#inAll = undefined;
    this.#change(channel);
  }

  /** Shows another channel, for the user or for a search. */
  #change(channel: Channel | null): void {
    clearInterval(this.#count);
    this.#ask = undefined;
    this.#channel = channel;
    this.#lines = 0;
    this.#markWhenCounted = undefined;
    this.#view.mark(-1);
    this.#marks.changed();
    [...this.#sources.children].forEach(
      (each) => (each.ariaPressed = String(each.textContent === (channel ?? 'Both'))),
    );
    this.#earlier.hidden = channel !== null || this.#earlier.childNodes.length === 0;
    if (channel === null) {
      this.#view.show(this.#merged);
      this.#drawMerged();
      return;
    }
    const lines = new RangeLines(
      channel,
      (first, last, range) => linesOf(this.#taskId, channel, first, last, range),
      () => this.#view.changed(),
    );
    let complete = false;
    let whole = 1; // no line from this one on is missing
    const ask = (): void => {
      const ended = this.#ended;
      void outputEnd(this.#taskId, channel, whole).then(
        ({ lines: count, bytes, from }) => {
          if (this.#ask !== ask) return;
          whole = from;
          complete = ended;
          this.#lines = count;
          lines.grown(count, bytes);
          if (this.#markWhenCounted !== undefined && this.#markWhenCounted < count) {
            this.#view.mark(this.#markWhenCounted);
            this.#markWhenCounted = undefined;
          }
          this.#search.update();
          this.#marks.changed();
          this.#nothing.hidden = count > 0;
          this.#nothing.textContent = `No output on ${channel}.`;
        },
        () => undefined,
      ); // asked again soon; the connection shows that the server is unreachable
    };
    this.#count = setInterval(
      () => void (!complete && document.visibilityState === 'visible' && ask()),
      COUNT_EVERY_MS,
    );
    this.#ask = ask;
    this.#view.show(lines);
    ask();
  }
}
