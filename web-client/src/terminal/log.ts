import { Unicode11Addon } from '@xterm/addon-unicode11';
import { Terminal } from '@xterm/xterm';
import { MergedLines, type Rendered } from '../log/lines';
import { LogPane } from '../log/pane';
import { element } from '../page/element';
import { taskAddress } from '../route';
import { stepsOf } from '../replay/steps';
import { Refusal, screenAt, taskOf } from '../server/api';
import { SCROLLBACK_LINES, Transcript } from './transcript';

const MOST_BYTES = 64 * 1024 * 1024; // some seconds of work
const DRAW_EVERY_MS = 100;

/** A terminal's output as a log: its lines as the terminal has shown them, from the first one on, in this page's memory. */
export class TerminalLog {
  readonly pane: LogPane;
  readonly #id: string;
  readonly #lines = new MergedLines();
  readonly #stop = new AbortController();
  readonly #failed: (reason: string) => void;
  readonly #fresh: Rendered[] = []; // lines that are not drawn yet
  #drawing: ReturnType<typeof setTimeout> | undefined;
  #isRead = false;

  constructor(taskId: string, failed: (reason: string) => void) {
    this.#id = taskId;
    this.#failed = failed;
    this.pane = new LogPane({ taskId, lines: this.#lines, channels: [], usual: 'pty' });
    this.#read().catch((refused: unknown) => {
      if (this.#stop.signal.aborted) return;
      this.pane.isRead();
      this.#failed(refused instanceof Refusal ? refused.message : String(refused));
    });
  }

  close(): void {
    this.#stop.abort();
    this.pane.close();
  }

  async #read(): Promise<void> {
    const [{ rows, cols }, { next_seq: end }] = await Promise.all([screenAt(this.#id, 0), taskOf(this.#id)]);
    const terminal = new Terminal({ allowProposedApi: true, scrollback: SCROLLBACK_LINES, rows, cols });
    terminal.loadAddon(new Unicode11Addon());
    terminal.unicode.activeVersion = '11';
    const transcript = new Transcript(terminal);
    let bytes = 0;
    try {
      for await (const step of stepsOf(this.#id, 0, this.#stop.signal)) {
        if (this.#stop.signal.aborted) return;
        if (step.size !== null) transcript.resize(step.size);
        if (step.bytes !== null) this.#fresh.push(...(await transcript.write(step.bytes, step.at)));
        this.#drawing ??= setTimeout(() => this.#draw(transcript), DRAW_EVERY_MS);
        if (step.seq >= end - 1 && !this.#isRead) this.#wasRead(transcript);
        if ((bytes += step.bytes?.length ?? 0) <= MOST_BYTES) continue;
        this.#leftOut('Only the first 64 MiB are shown.');
        break;
      }
      if (!this.#stop.signal.aborted) this.#wasRead(transcript);
    } finally {
      clearTimeout(this.#drawing);
      transcript.close();
    }
  }

  /** All that was written before is shown. */
  #wasRead(transcript: Transcript): void {
    this.#isRead = true;
    this.#draw(transcript);
    this.pane.isRead();
  }

  #draw(transcript: Transcript): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    this.#lines.rendered('pty', this.#fresh.splice(0), transcript.screen());
    if (this.#lines.dropped > 0) this.#leftOut('Only the latest 100,000 lines are shown.');
    this.pane.grown();
  }

  #leftOut(words: string): void {
    this.pane.leftOut(`${words} All of the output is in `, element('a', { href: taskAddress(this.#id, 'files') }, 'Files'), '.');
  }
}
