import { element, say } from '../page/element';
import type { Moment } from './played';

const STILL_MS = 80; // a pointer that moves on needs no screen

interface Previewed {
  /** The moment at a share of the slider. */
  at(share: number): Moment;
  /** The text of the screen right after a frame. */
  screen(seq: number): Promise<string>;
  words(moment: Moment, share: number): string;
}

/** Shows, above a slider, what is at the pointer: the time, and the screen of that moment as a small picture. */
export class Preview {
  readonly root = element('div', { className: 'preview', hidden: true, ariaHidden: 'true' });
  readonly #words = element('span', { className: 'figure' });
  readonly #screen = element('pre', {});
  readonly #slider: HTMLInputElement;
  readonly #previewed: Previewed;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wanted = -1; // the frame
  #isAsking = false;

  constructor(slider: HTMLInputElement, previewed: Previewed) {
    this.#slider = slider;
    this.#previewed = previewed;
    this.root.append(this.#screen, this.#words);
    slider.addEventListener('pointermove', (event) => this.#move(event));
    slider.addEventListener('pointerleave', () => this.#hide());
  }

  close(): void {
    this.#hide();
  }

  #hide(): void {
    clearTimeout(this.#timer);
    this.#wanted = -1;
    this.root.hidden = true;
  }

  #move({ offsetX, pointerType }: PointerEvent): void {
    if (pointerType === 'touch') return; // a finger drags the slider itself
    const width = Math.max(1, this.#slider.clientWidth);
    const share = Math.min(1, Math.max(0, offsetX / width));
    const moment = this.#previewed.at(share);
    say(this.#words, this.#previewed.words(moment, share));
    this.root.hidden = false;
    const half = this.root.offsetWidth / 2;
    this.root.style.left = `${Math.min(width - half, Math.max(half, share * width))}px`;
    if (moment.seq === this.#wanted) return;
    this.#wanted = moment.seq;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), STILL_MS);
  }

  /** One request at a time, for the place where the pointer is by then. */
  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      for (let shown = -2; this.#wanted >= 0 && shown !== this.#wanted; ) {
        shown = this.#wanted;
        const text = await this.#previewed.screen(shown);
        if (shown === this.#wanted) say(this.#screen, text);
      }
    } catch {
      this.#screen.textContent = ''; // the time is there
    } finally {
      this.#isAsking = false;
    }
  }
}
