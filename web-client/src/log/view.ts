import { Attachment, type Join } from '../attach/attachment';
import { BROWSER } from '../attach/surroundings';
import type { Rights } from '../attach/wire';
import type { Channel, LogEnd } from '../frames/frames';
import { button } from '../page/element';
import type { Choice } from '../page/palette';
import { uniqueName } from '../page/unique';
import { Refusal } from '../server/api';
import type { Told } from '../terminal/view';
import type { Marked } from '../watchers/log-marks';
import { lineAt } from './line-at';
import { MergedLines, type Joint } from './lines';
import { LogPane } from './pane';

const BEHIND_BYTES = 4 * 1024 * 1024; // how far a view that follows may lag: a burst of some tenths of a second is shown completely
const AGAIN_BYTES = 512 * 1024; // the same in a flood, where newer output is worth more
const FLOOD_MS = 10_000; // a leap at most this long ago belongs to the same flood
const LEAP_BYTES = 256 * 1024; // the newest output that is shown after a leap

/** The output of a task without a terminal: both channels in the order of arrival, or one channel from its beginning, of any size. */
export class LogView {
  readonly attachment: Attachment;
  readonly #taskId: string;
  readonly #merged = new MergedLines();
  readonly #pane: LogPane;
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
    this.#pane = new LogPane({ taskId, lines: this.#merged, channels: ['stdout', 'stderr'], usual: 'stdout' });
    place.append(this.#pane.root);
    this.attachment = new Attachment(
      taskId,
      join,
      uniqueName(),
      {
        screen: () => undefined, // sent for terminals only
        output: (channel, bytes, parsed) => {
          this.#merged.add(channel, bytes);
          this.#grown();
          parsed();
        },
        joinedAt: (channel, offset, seq) => {
          const joint = this.#merged.joined(channel, offset);
          if (offset > 0) this.#leftOut();
          if (joint !== null) void this.#number(joint, offset, seq);
        },
        frame: (frame) => {
          if (frame.known && frame.frame.type === 'tool_task_status' && frame.frame.phase === 'ended') {
            this.#ended = true;
            this.#pane.ended(frame.frame.outcome !== 'succeeded');
          }
          this.#grown();
          told.frame(frame);
        },
        standing: (standing) => {
          if (standing.is === 'live' || standing.is === 'ended') this.#pane.isRead();
          this.#grown();
          told.standing(standing);
        },
        company: (company) => told.company(company),
        fellBehind: () => {
          if (!this.#pane.followsAll) return false;
          fellBehind();
          return true;
        },
        refused: (message) => told.refused(message),
      },
      BROWSER,
      rights,
    );
    if (opens !== null) this.#pane.open(opens);
  }

  get root(): HTMLElement {
    return this.#pane.root;
  }

  /** The place of further controls. */
  get tools(): HTMLElement {
    return this.#pane.tools;
  }

  /** Skips to the latest output if the view follows and is far behind this. Beyond the output limit there is nothing to skip to. */
  written(logs: Partial<Record<Channel, LogEnd>>): void {
    const ends = Object.entries(logs) as [Channel, LogEnd][];
    if (!this.#pane.followsAll || this.#ended || ends.some(([, log]) => log.truncated)) return;
    const mayBe = performance.now() - this.#leaptAt < FLOOD_MS ? AGAIN_BYTES : BEHIND_BYTES;
    if (this.attachment.behind(new Map(ends.map(([channel, log]) => [channel, log.bytes_stored]))) < mayBe) return;
    this.#leaptAt = performance.now();
    this.#leftOut();
    this.attachment.leap(LEAP_BYTES);
  }

  allow(rights: Rights): void {
    this.attachment.allow(rights);
  }

  focus(): void {
    this.#pane.focus();
  }

  search(): void {
    this.#pane.search();
  }

  mark(marked: Marked): void {
    this.#pane.mark(marked);
  }

  goTo(channel: Channel, line: number): void {
    this.#pane.goTo(channel, line);
  }

  goToAddress(): void {
    this.#pane.goToAddress();
  }

  choices(): Choice[] {
    return this.#pane.choices();
  }

  key(key: string): boolean {
    return this.#pane.key(key);
  }

  close(): void {
    this.attachment.close();
    this.#pane.close();
  }

  #grown(): void {
    if (this.#merged.dropped > 0) this.#leftOut();
    this.#pane.grown();
  }

  #leftOut(): void {
    if (this.#pane.hasLeftOut) return;
    this.#pane.leftOut(
      'Only the latest output is shown. Open the full output: ',
      button('stdout', { className: 'link' }, () => this.#pane.choose('stdout')),
      ' ',
      button('stderr', { className: 'link' }, () => this.#pane.choose('stderr')),
    );
  }

  /** Finds the numbers of the lines behind a place that is not the beginning. */
  async #number(joint: Joint, offset: number, seq: number): Promise<void> {
    try {
      const line = await lineAt(this.#taskId, joint.channel, offset, seq);
      if (line === null) return;
      this.#merged.number(joint, line);
      this.#grown();
    } catch (refused) {
      if (!(refused instanceof Refusal)) throw refused; // else the lines have no numbers
    }
  }
}
