import { button, element, say } from '../page/element';
import { counted } from '../sessions/words';
import type { Hit } from './hits';

/** The way from hit to hit, with the number of the one that is shown. */
export class HitSteps {
  readonly root: HTMLElement;
  readonly #said = element('span', { className: 'quiet', role: 'status' });
  readonly #go: (hit: Hit) => void;
  #hits: readonly Hit[] = [];
  #seq: number | null = null;

  constructor(go: (hit: Hit) => void) {
    this.#go = go;
    this.root = element(
      'div',
      { className: 'hit-steps', role: 'group', ariaLabel: 'Hits of the watchers', hidden: true },
      button('‹', { ariaLabel: 'Previous hit', title: 'Previous hit of a watcher (H)' }, () => this.step(-1)),
      this.#said,
      button('›', { ariaLabel: 'Next hit', title: 'Next hit of a watcher (h)' }, () => this.step(1)),
    );
  }

  /** The index of the hit that is shown, -1 for none. */
  get current(): number {
    const seq = this.#seq;
    return seq === null ? -1 : this.#hits.findIndex((hit) => hit.seq === seq || hit.frameSeq === seq);
  }

  /** @param seq the frame in the address */
  show(hits: readonly Hit[], seq: number | null): void {
    this.#hits = hits;
    this.#seq = seq;
    this.root.hidden = hits.length === 0;
    const current = this.current;
    say(this.#said, current < 0 ? counted(hits.length, 'hit') : `hit ${current + 1} of ${hits.length}`);
  }

  /** To the next or the previous hit; past the last one, to the first. */
  step(by: 1 | -1): void {
    const hit = stepFrom(this.#hits, this.current, this.#seq, by);
    if (hit !== undefined) this.#go(hit);
  }
}

/** The hit after or before the current one, or after or before a frame that is no hit. */
export function stepFrom(hits: readonly Hit[], current: number, seq: number | null, by: 1 | -1): Hit | undefined {
  const count = hits.length;
  if (current >= 0) return hits[(current + by + count) % count];
  if (seq === null || Number.isNaN(seq)) return by === 1 ? hits[0] : hits.at(-1);
  if (by === 1) return hits.find((hit) => hit.seq > seq) ?? hits[0];
  return hits.findLast((hit) => hit.seq < seq) ?? hits.at(-1);
}
