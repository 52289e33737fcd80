import { element } from '../page/element';
import { onThemeChange } from '../page/theme';

const MARK_PX = 3;
const NEAR_PX = 8; // a click this near to a mark means the mark

/** Which pixels of a strip have a mark: as many marks as there are pixels, whatever the number of places. */
export function marksAt(places: readonly number[], pixels: number): number[] {
  const marked = new Set<number>();
  for (const place of places) if (place >= 0 && place <= 1) marked.add(Math.round(place * (pixels - 1)));
  return [...marked].sort((a, b) => a - b);
}

/** The place nearest to another one, if it is near enough; else -1. */
export function nearest(places: readonly number[], wanted: number, near: number): number {
  let found = -1;
  let distance = near;
  places.forEach((place, i) => {
    const away = Math.abs(place - wanted);
    if (away > distance || (away === distance && found >= 0)) return;
    found = i;
    distance = away;
  });
  return found;
}

/** Marks along a scrollbar or a slider, drawn on one canvas. A place is a share of the length, from 0 to 1. */
export class Strip {
  readonly root: HTMLCanvasElement;
  readonly #isVertical: boolean;
  readonly #watcher = new ResizeObserver(() => this.#draw());
  readonly #forgetTheme: () => void;
  #places: readonly number[] = [];
  #current = -1;

  /** @param go is called with the index of a clicked mark's place */
  constructor(axis: 'vertical' | 'horizontal', go: (index: number) => void) {
    this.#isVertical = axis === 'vertical';
    this.root = element('canvas', { className: `strip ${axis}`, hidden: true, role: 'img' });
    this.root.addEventListener('click', (event) => {
      const { place, near } = this.#at(event);
      const found = nearest(this.#places, place, near);
      if (found >= 0) go(found);
    });
    this.root.addEventListener('pointermove', (event) => {
      const { place, near } = this.#at(event);
      this.root.classList.toggle('near', nearest(this.#places, place, near) >= 0);
    });
    this.#forgetTheme = onThemeChange(() => this.#draw());
    this.#watcher.observe(this.root);
  }

  /**
   * Shows the strip, which keeps its room where no place is in view.
   *
   * @param current the index of the place that is highlighted; -1 is none
   */
  show(places: readonly number[], current: number, label: string): void {
    this.#places = places;
    this.#current = current;
    this.root.hidden = false;
    this.root.ariaLabel = label;
    this.#draw();
  }

  close(): void {
    this.#watcher.disconnect();
    this.#forgetTheme();
  }

  #at({ offsetX, offsetY }: MouseEvent): { place: number; near: number } {
    const length = Math.max(1, this.#isVertical ? this.root.clientHeight : this.root.clientWidth);
    return { place: (this.#isVertical ? offsetY : offsetX) / length, near: NEAR_PX / length };
  }

  #draw(): void {
    const { clientWidth, clientHeight } = this.root;
    const pen = this.root.getContext('2d');
    if (clientWidth === 0 || clientHeight === 0 || pen === null) return;
    const scale = devicePixelRatio;
    this.root.width = Math.round(clientWidth * scale);
    this.root.height = Math.round(clientHeight * scale);
    const length = this.#isVertical ? clientHeight : clientWidth;
    const { color, accentColor } = getComputedStyle(this.root);
    pen.scale(scale, scale);
    pen.fillStyle = color;
    for (const pixel of marksAt(this.#places, length)) this.#mark(pen, pixel);
    const current = this.#places[this.#current];
    if (current === undefined) return;
    pen.fillStyle = accentColor;
    this.#mark(pen, Math.round(current * (length - 1)));
  }

  #mark(pen: CanvasRenderingContext2D, pixel: number): void {
    const from = pixel - Math.floor(MARK_PX / 2);
    if (this.#isVertical) pen.fillRect(2, from, this.root.clientWidth - 4, MARK_PX);
    else pen.fillRect(from, 2, MARK_PX, this.root.clientHeight - 4);
  }
}
