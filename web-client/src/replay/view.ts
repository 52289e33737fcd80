import { updateAddress } from '../page/address';
import { button, element, say } from '../page/element';
import { copies } from '../page/clipboard';
import { noFrame } from '../ledger/sentences';
import { taskAddress } from '../route';
import { screenAt, timeOf, type Task } from '../server/api';
import { Screen, type Size } from '../terminal/screen';
import { Player, SPEEDS } from './player';
import { stepsOf } from './steps';
import { clockTime } from './words';

const SKIP_MS = 5_000;

/** A terminal's record, played at any speed and from any frame on. */
export class ReplayView {
  readonly root: HTMLElement;
  readonly #id: string;
  readonly #screen: Screen;
  readonly #player: Player;
  readonly #watcher: ResizeObserver;
  readonly #play = button('Play', { className: 'play primary', title: 'Play (space)' }, () => this.#toggle());
  /** The place of marks, above the slider. */
  readonly slider = element('div', { className: 'slider' });
  /** The place of further controls. */
  readonly tools: HTMLElement;
  readonly #place = element('input', { type: 'range', className: 'place-in', min: '0', step: '1', ariaLabel: 'Position in the record' });
  readonly #time = element('span', { className: 'figure' });
  readonly #speed = element(
    'select',
    { ariaLabel: 'Speed', title: 'Speed (< and >)' },
    ...SPEEDS.map((each) => element('option', { value: String(each), selected: each === 1 }, `${each}×`)),
  );
  readonly #complaint = element('p', { className: 'complaint', role: 'alert' });
  #size: Size = { rows: 24, cols: 80 };
  #task: Task;
  #begun = 0;

  /** @param seq the frame to begin at, paused; null plays from the beginning */
  constructor(task: Task, seq: number | null, place: HTMLElement) {
    this.#id = task.task_id;
    this.#task = task;
    const host = element('div', { className: 'screen' });
    const link = copies('Copy link', 'Copy a link to this moment', () => new URL(this.#address(), location.href).href);
    this.slider.append(this.#place);
    this.tools = element(
      'div',
      { className: 'tools', role: 'group', ariaLabel: 'Replay' },
      this.#play,
      this.slider,
      this.#time,
      this.#speed,
      link,
    );
    this.root = element('div', { className: 'terminal-view replay' }, this.#complaint, host, this.tools);
    place.append(this.root);
    this.#screen = new Screen(host);
    this.#screen.terminal.options.disableStdin = true;
    this.#screen.terminal.options.cursorInactiveStyle = 'block';
    this.#screen.terminal.textarea?.toggleAttribute('readonly', true);
    this.#screen.terminal.attachCustomKeyEventHandler(() => false);
    this.#watcher = new ResizeObserver(() => this.#screen.shrink(this.#size));
    this.#watcher.observe(host);
    this.#player = this.#playerOf();
    this.#place.addEventListener('input', () => void this.#go(Number(this.#place.value)));
    this.#speed.addEventListener('change', () => (this.#player.speed = Number(this.#speed.value)));
    this.root.addEventListener('keydown', (event) => {
      if (event.target === this.#speed || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === ' ' && event.target instanceof HTMLButtonElement) {
        event.stopPropagation(); // presses the button only
        return;
      }
      if (!this.key(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.update(task);
    this.#begin(seq).catch((refused: unknown) => this.#complain(refused));
  }

  /** Handles a key; returns whether it had an effect. */
  key(key: string): boolean {
    const last = this.#last();
    if (key === ' ') this.#toggle();
    else if (key === 'ArrowRight') this.#skip(SKIP_MS);
    else if (key === 'ArrowLeft') this.#skip(-SKIP_MS);
    else if (key === '.' || key === ',') {
      this.#player.pause();
      void this.#go(Math.max(0, Math.min(last, this.#player.seq + (key === '.' ? 1 : -1))));
    } else if (key === '<' || key === '>') {
      const at = SPEEDS.findIndex((each) => each === this.#player.speed) + (key === '>' ? 1 : -1);
      this.#player.speed = SPEEDS[at] ?? this.#player.speed;
      this.#speed.value = String(this.#player.speed);
    } else return false;
    return true;
  }

  /** Pauses and shows the screen right after this frame. */
  goTo(seq: number): void {
    this.#player.pause();
    void this.#go(seq);
  }

  /** The record of a running task grows. */
  update(task: Task): void {
    this.#task = task;
    this.#place.max = String(this.#last());
    this.#tell();
  }

  close(): void {
    this.#player.close();
    this.#watcher.disconnect();
    this.#screen.close();
    this.root.remove();
  }

  #playerOf(): Player {
    const times = new Map<number, Promise<number>>();
    const known = (seq: number): Promise<number> => {
      const time = times.get(seq) ?? timeOf(this.#id, seq);
      time.catch(() => times.delete(seq));
      times.set(seq, time);
      return time;
    };
    return new Player(
      {
        screen: (seq) => screenAt(this.#id, seq),
        steps: (fromSeq, signal) => stepsOf(this.#id, fromSeq, signal),
        timeOf: known,
        last: () => this.#last(),
      },
      {
        clear: (size) => {
          this.#sized(size);
          this.#screen.clear(size);
        },
        resize: (size) => {
          this.#sized(size);
          this.#screen.resize(size);
        },
        write: (bytes, parsed) => this.#screen.write(bytes, parsed),
        changed: () => this.#tell(),
        failed: (reason) => {
          this.#complain(reason);
          this.#tell(); // the slider returns to the position
        },
      },
      {
        now: () => performance.now(),
        later: (act, ms) => {
          const timer = setTimeout(act, ms);
          return () => clearTimeout(timer);
        },
      },
    );
  }

  async #begin(seq: number | null): Promise<void> {
    this.#begun = await timeOf(this.#id, 0);
    const last = this.#last();
    if (seq !== null && !(seq <= last)) say(this.#complaint, noFrame(seq, { count: this.#task.next_seq, isOpen: this.#task.outcome === null }));
    const came = await this.#player.seek(seq === null ? 0 : seq <= last ? seq : last);
    if (came && seq === null) this.#player.play();
    this.#screen.terminal.focus(); // without the focus it shows no cursor
    this.#play.focus();
  }

  async #go(seq: number): Promise<void> {
    if (await this.#player.seek(seq)) this.#arrived();
  }

  #skip(ms: number): void {
    this.#player.skip(ms).then(
      (came) => came && this.#arrived(),
      (refused: unknown) => this.#complain(refused),
    );
  }

  /** Writes the position into the address, so that a reload or a link returns to it. */
  #arrived(): void {
    say(this.#complaint, '');
    updateAddress(this.#address());
  }

  #toggle(): void {
    if (this.#player.playing) {
      this.#player.pause();
      this.#arrived();
    } else if (this.#player.over) {
      void this.#player.seek(0).then((came) => came && this.#player.play());
    } else {
      this.#player.play();
    }
  }

  #complain(reason: unknown): void {
    say(this.#complaint, reason instanceof Error ? reason.message : String(reason));
  }

  #address(): string {
    return taskAddress(this.#id, 'replay', this.#player.seq);
  }

  #last(): number {
    return Math.max(this.#task.next_seq - 1, 0);
  }

  #sized(size: Size): void {
    this.#size = size;
    this.#screen.shrink(size);
  }

  #tell(): void {
    const { playing, seq, at } = this.#player;
    say(this.#play, playing ? 'Pause' : 'Play');
    this.#play.title = playing ? 'Pause (space)' : 'Play (space)';
    const last = Math.max(this.#last(), seq);
    this.#place.max = String(last);
    this.#place.value = String(seq);
    const end = Math.max(at, this.#task.ended_at_ms ?? Date.now());
    const now = this.#begun === 0 || at === 0 ? 0 : at - this.#begun;
    say(this.#time, `${clockTime(now)} / ${clockTime(this.#begun === 0 ? 0 : end - this.#begun)}`);
    this.#place.setAttribute('aria-valuetext', `frame ${seq} of ${last}, ${clockTime(now)}`);
  }
}
