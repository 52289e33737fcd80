import { readFrame } from '../frames/parse';
import { noFrame } from '../ledger/sentences';
import { updateAddress } from '../page/address';
import { copies, copy } from '../page/clipboard';
import { button, element, say } from '../page/element';
import type { Choice } from '../page/palette';
import { taskAddress } from '../route';
import { events, screenAt, screenTextAt, timeOf, type Task } from '../server/api';
import { Screen, type Size } from '../terminal/screen';
import { PlayedTime, type Moment } from './played';
import { IDLE_MS, Player, SPEEDS } from './player';
import { Preview } from './preview';
import { stepsOf } from './steps';
import { clockTime } from './words';

const SKIP_MS = 5_000;
const LEAST_SHARE = 0.004; // of the slider, between two marks
const NEAR_SHARE = 0.008; // of the slider, from the pointer to a mark
const MOST_FRAMES = 20_000; // whose times are all read: some MB
const FAR_TIMES = 64; // that are read of the rest,
const FAR_FRAMES = 200; // at least so many frames apart

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
  readonly #place = element('input', { type: 'range', className: 'place-in', min: '0', step: 'any', ariaLabel: 'Position in the record' });
  readonly #happenings = element('div', { className: 'happenings', ariaHidden: 'true' });
  readonly #clock = new PlayedTime();
  readonly #preview: Preview;
  /** Whether the page shows nothing but the player, as its address says. */
  readonly #isAlone = /[?&]player=1\b/.test(location.hash);
  readonly #reading = new AbortController();
  #timesRead: Promise<void> | undefined;
  readonly #full = button('', { className: 'icon bare full', ariaLabel: 'Full screen', title: 'Full screen (F)' }, () => void this.#fill());
  readonly #time = element('span', { className: 'figure' });
  readonly #speed = element(
    'select',
    { ariaLabel: 'Speed', title: 'Speed (< and >)' },
    ...SPEEDS.map((each) => element('option', { value: String(each), selected: each === 1 }, `${each}×`)),
  );
  readonly #complaint = element('p', { className: 'complaint', role: 'alert' });
  #size: Size = { rows: 24, cols: 80 };
  #task: Task;

  /** @param seq the frame to begin at, paused; null plays from the beginning */
  constructor(task: Task, seq: number | null, place: HTMLElement) {
    this.#id = task.task_id;
    this.#task = task;
    const host = element('div', { className: 'screen' });
    const link = copies('Copy link', 'Copy a link to this moment', () => new URL(this.#address(), location.href).href);
    this.#preview = new Preview(this.#place, {
      at: (share) => this.#momentOf(share * this.#clock.total),
      screen: (seq) => screenTextAt(this.#id, seq),
      words: (moment, share) => this.#wordsAt(moment, share * this.#clock.total),
    });
    this.#full.dataset['icon'] = 'full';
    this.slider.append(this.#happenings, this.#place, this.#preview.root);
    this.tools = element(
      'div',
      { className: 'tools', role: 'group', ariaLabel: 'Replay' },
      this.#play,
      this.slider,
      this.#time,
      this.#speed,
      link,
      this.#full,
    );
    this.root = element('div', { className: 'terminal-view replay' }, this.#complaint, host, this.tools);
    place.append(this.root);
    document.body.toggleAttribute('data-player', this.#isAlone);
    this.#screen = new Screen(host);
    this.#screen.terminal.options.disableStdin = true;
    this.#screen.terminal.options.cursorInactiveStyle = 'block';
    this.#screen.terminal.textarea?.toggleAttribute('readonly', true);
    this.#screen.terminal.attachCustomKeyEventHandler(() => false);
    this.#watcher = new ResizeObserver(() => this.#sized(this.#size));
    this.#watcher.observe(host);
    this.#player = this.#playerOf();
    this.#place.addEventListener('input', () => void this.#goToTime(Number(this.#place.value)));
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
    else if (key === 'ArrowRight') void this.#goToTime(this.#now + SKIP_MS);
    else if (key === 'ArrowLeft') void this.#goToTime(this.#now - SKIP_MS);
    else if (key === 'Home') void this.#goToTime(0);
    else if (key === 'End') void this.#go(last);
    else if (key === 'F') void this.#fill();
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

  /** Its commands in the palette. */
  choices(): Choice[] {
    const link = (isAlone: boolean): string => new URL(this.#address(isAlone), location.href).href;
    return [
      { name: 'Copy a link to this moment', hint: '', act: () => void copy(link(this.#isAlone)) },
      { name: 'Copy a link to the player alone', hint: '', act: () => void copy(link(true)) },
      { name: 'Full screen', hint: 'F', act: () => void this.#fill() },
    ];
  }

  /** Pauses and shows the screen right after this frame. */
  goTo(seq: number): void {
    this.#player.pause();
    void this.#go(seq);
  }

  /** The place of a frame on the slider, from 0 to 1. */
  shareOf(seq: number): number {
    return this.#clock.ofFrame(seq) / Math.max(1, this.#clock.total);
  }

  /** The record of a running task grows. */
  update(task: Task): void {
    this.#task = task;
    void this.#readTimes();
    this.#tell();
  }

  close(): void {
    document.body.removeAttribute('data-player');
    this.#reading.abort();
    this.#preview.close();
    this.#player.close();
    this.#watcher.disconnect();
    this.#screen.close();
    this.root.remove();
  }

  #playerOf(): Player {
    const times = new Map<number, Promise<number>>();
    const known = (seq: number): Promise<number> => {
      const exact = this.#clock.timeOf(seq);
      if (exact !== undefined) return Promise.resolve(exact);
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

  /** Goes to a played time. */
  async #goToTime(played: number): Promise<void> {
    await this.#readTimes();
    const { seq, at } = this.#momentOf(Math.min(this.#clock.total, Math.max(0, played)));
    if (await this.#player.seek(seq, at)) this.#arrived();
  }

  #momentOf(played: number): Moment {
    return this.#clock.at(played);
  }

  /** The played time now. */
  get #now(): number {
    return this.#clock.ofMoment(this.#player);
  }

  /** Reads the times of the frames that are not known yet; of a very long record, of some of them. */
  #readTimes(): Promise<void> {
    return (this.#timesRead ??= this.#readNow().finally(() => (this.#timesRead = undefined)));
  }

  async #readNow(): Promise<void> {
    const before = this.#clock.next;
    try {
      await this.#readAll(Math.min(this.#task.next_seq, MOST_FRAMES));
      const left = this.#task.next_seq - this.#clock.next;
      const step = Math.max(FAR_FRAMES, Math.ceil(left / FAR_TIMES));
      for (let seq = this.#clock.next - 1 + step; seq < this.#task.next_seq; seq += step) this.#clock.skipTo(seq, await timeOf(this.#id, seq));
      const last = this.#task.next_seq - 1;
      if (this.#task.outcome !== null && this.#clock.next <= last) this.#clock.skipTo(last, await timeOf(this.#id, last));
    } catch (refused) {
      if (!this.#reading.signal.aborted) this.#complain(refused);
    }
    if (this.#clock.next === before) return;
    this.#drawHappenings();
    this.#tell();
  }

  async #readAll(end: number): Promise<void> {
    if (this.#clock.next >= end) return;
    const enough = new AbortController();
    try {
      for await (const json of events(this.#id, this.#clock.next, AbortSignal.any([this.#reading.signal, enough.signal]))) {
        this.#clock.add(readFrame(json));
        if (this.#clock.next >= end) return;
      }
    } finally {
      enough.abort();
    }
  }

  /** A mark for what happened, where it is not next to another of its kind. */
  #drawHappenings(): void {
    const last = new Map<string, number>();
    this.#happenings.replaceChildren();
    for (const { seq, kind } of this.#clock.happenings) {
      const share = this.shareOf(seq);
      if (share - (last.get(kind) ?? -1) < LEAST_SHARE) continue;
      last.set(kind, share);
      const mark = element('i', { className: kind });
      mark.style.left = `${share * 100}%`;
      this.#happenings.append(mark);
    }
  }

  /** The words for a place on the slider: the played time, the time of day, and what happened there. */
  #wordsAt({ at }: Moment, played: number): string {
    const near = this.#clock.total * NEAR_SHARE;
    const there = this.#clock.happenings.filter(({ seq }) => Math.abs(this.#clock.ofFrame(seq) - played) <= near);
    const words = [...new Set(there.map((each) => each.words))].slice(-2);
    return [clockTime(played), new Date(at).toLocaleTimeString(), ...words].join(' · ');
  }

  async #fill(): Promise<void> {
    if (document.fullscreenElement === null) await this.root.requestFullscreen();
    else await document.exitFullscreen();
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

  #address(isAlone = this.#isAlone): string {
    return `${taskAddress(this.#id, 'replay', this.#player.seq)}${isAlone ? '&player=1' : ''}`;
  }

  #last(): number {
    return Math.max(this.#task.next_seq - 1, 0);
  }

  #sized(size: Size): void {
    this.#size = size;
    this.#screen.shrink(size, document.fullscreenElement === this.root);
  }

  #tell(): void {
    const { playing, seq, at } = this.#player;
    say(this.#play, playing ? 'Pause' : 'Play');
    this.#play.title = playing ? 'Pause (space)' : 'Play (space)';
    const total = this.#clock.total;
    const now = at === 0 ? 0 : this.#now;
    this.#place.max = String(total);
    this.#place.value = String(now);
    say(this.#time, `${clockTime(now)} / ${clockTime(total)}`);
    this.#time.title = at === 0 ? '' : `${new Date(at).toLocaleString()}, frame ${seq}. Pauses are played for ${IDLE_MS / 1000} s at most.`;
    this.#place.setAttribute('aria-valuetext', `${clockTime(now)} of ${clockTime(total)}, frame ${seq}`);
    this.root.dataset['seq'] = String(seq);
  }
}
