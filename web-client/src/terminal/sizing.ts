import type { Company } from '../attach/audience';
import type { SizePolicy } from '../attach/wire';
import type { Screen, Size } from './screen';

const UNKNOWN: Size = { rows: 24, cols: 80 }; // until the screen has come
const SETTLES_MS = 150; // of a window that is drawn larger, not each step is shown
const ANSWERED_MS = 1_500; // for a size that is asked for, unless it is refused

/**
 * How large the terminal is, and what this page says of its own size. Where somebody else's size counts, the terminal stands in a frame
 * when it is smaller than its place, and with smaller letters when it is larger.
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
  #said: Size | undefined; // as the others are told
  #settles: ReturnType<typeof setTimeout> | undefined;
  #live = false;
  policy: SizePolicy = 'latest';

  /** @param ask says this page's size @param changed when there is another size to tell, or another place for it */
  constructor(screen: Screen, host: HTMLElement, ask: (size: Size) => void, changed: () => void) {
    this.#screen = screen;
    this.#host = host;
    this.#ask = ask;
    this.#changed = changed;
    this.#tell();
    this.#watcher.observe(host);
    host.addEventListener('focusin', () => this.fit());
  }

  /** Of the terminal. */
  get size(): Size {
    return this.#size;
  }

  /** Whether a size can be asked for: not while the connection is away, and not when the task has ended. */
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

  /** Others must know this page's size where it counts beside theirs. */
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

  /** For styles and tests: a terminal is settled when it stands in its place as large as it stays, unless something changes. */
  #tell(): void {
    const isSettled = this.#isKnown && this.#settles === undefined && !(this.#live && this.#asked !== undefined);
    this.#host.dataset['size'] = isSettled ? 'settled' : 'settling';
  }
}

function same(one: Size | undefined, other: Size | undefined): boolean {
  return one?.rows === other?.rows && one?.cols === other?.cols;
}
