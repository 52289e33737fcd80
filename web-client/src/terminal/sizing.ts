import type { Company } from '../attach/audience';
import type { SizePolicy } from '../attach/wire';
import type { Screen, Size } from './screen';

const UNKNOWN: Size = { rows: 24, cols: 80 }; // until the screen has arrived
const SETTLES_MS = 150; // while a window is resized, not every step is applied
const ANSWERED_MS = 1_500; // within this time the server replies to a requested size, unless it refuses it

/**
 * The size of the terminal, and the size that this page announces. If another viewer's size counts, the terminal has a frame if it is
 * smaller than its place, and smaller letters if it is larger.
 */
export class Sizing {
  readonly #screen: Screen;
  readonly #host: HTMLElement;
  readonly #ask: (size: Size) => void;
  readonly #changed: () => void;
  readonly #watcher = new ResizeObserver(() => this.fit());
  #size = UNKNOWN;
  #isKnown = false;
  #asked: Size | undefined;
  #said: Size | undefined; // the size announced to the others
  #settles: ReturnType<typeof setTimeout> | undefined;
  #live = false;
  policy: SizePolicy = 'latest';

  /** @param ask announces this page's size @param changed is called when the size or the place has changed */
  constructor(screen: Screen, host: HTMLElement, ask: (size: Size) => void, changed: () => void) {
    this.#screen = screen;
    this.#host = host;
    this.#ask = ask;
    this.#changed = changed;
    this.#tell();
    this.#watcher.observe(host);
    host.addEventListener('focusin', () => this.fit());
  }

  /** The terminal's size. */
  get size(): Size {
    return this.#size;
  }

  /** Whether a size can be requested: not while disconnected, and not after the end of the task. */
  get live(): boolean {
    return this.#live;
  }

  set live(live: boolean) {
    this.#live = live;
    this.#tell();
  }

  /** A new screen begins with this size. */
  begins(size: Size): void {
    this.#screen.clear(size);
    this.#isKnown = true;
    this.#became(size);
  }

  resized(size: Size): void {
    this.#screen.resize(size);
    this.#became(size);
  }

  /** The server must know this page's size if it counts together with those of others. */
  company({ viewers, policy, self }: Company): void {
    const { rows = null, cols = null } = viewers.find((each) => each.viewer === self) ?? {};
    this.#said = rows === null || cols === null ? undefined : { rows, cols };
    if (policy !== this.policy || same(this.#asked, this.#said)) this.#asked = undefined;
    this.policy = policy;
    this.#changed();
    this.#tell();
    if (policy !== 'latest') this.fit();
  }

  /** Proposes the size of this window, which counts under the policy `latest`. */
  fit(): void {
    const room = this.#screen.room();
    const known = this.#asked ?? (this.policy === 'latest' ? this.#size : this.#said);
    if (this.live && room !== undefined && !same(room, known)) {
      this.#asked = room;
      this.#ask(room);
    }
    this.#settleSoon();
  }

  close(): void {
    clearTimeout(this.#settles);
    this.#watcher.disconnect();
  }

  #became(size: Size): void {
    this.#size = size;
    this.#asked = undefined;
    this.#changed();
    this.#settleSoon();
  }

  #settleSoon(): void {
    clearTimeout(this.#settles);
    if (this.#isKnown)
      this.#settles = setTimeout(() => this.#settle(), this.#asked === undefined ? SETTLES_MS : ANSWERED_MS);
    this.#tell();
  }

  #settle(): void {
    this.#settles = undefined;
    const room = this.#screen.room();
    if (room !== undefined) this.#place(room);
    this.#tell();
  }

  #place(room: Size): void {
    this.#screen.shrink(this.#size);
    this.#host.classList.toggle('framed', this.#size.rows < room.rows || this.#size.cols < room.cols);
    const exceeded = this.#host.classList.contains('exceeds');
    const exceeds = this.#host.classList.toggle('exceeds', !this.#screen.isWhole());
    if (exceeds && !exceeded) this.#screen.scrollToCursor();
  }

  /** For styles and tests: a terminal is settled when it has its final size and place, until something changes. */
  #tell(): void {
    const isSettled = this.#isKnown && this.#settles === undefined && !(this.#live && this.#asked !== undefined);
    this.#host.dataset['size'] = isSettled ? 'settled' : 'settling';
  }
}

function same(one: Size | undefined, other: Size | undefined): boolean {
  return one?.rows === other?.rows && one?.cols === other?.cols;
}
