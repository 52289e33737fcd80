import { Attachment, BROWSER, type Audience, type Standing } from '../attach/attachment';
import type { ScreenPart, Viewer } from '../attach/wire';
import type { Frame } from '../frames/frames';
import { button, element, say } from '../page/element';
import { copy } from '../page/clipboard';
import { askFirst } from '../page/help';
import { outputAddress } from '../server/api';
import { Screen, type Size } from './screen';
import { preview, questionOf } from './paste';
import { SearchBar } from './search-bar';
import { SoftKeys } from './soft-keys';

export interface Told {
  frame(frame: Frame): void;
  standing(standing: Standing): void;
  viewers(viewers: readonly Viewer[], self: string): void;
  refused(message: string): void;
}

const HISTORY_LINES = 1000; // above the screen: the most that the server gives
const UNKNOWN: Size = { rows: 24, cols: 80 }; // until the screen has come

/** A task's terminal: its screen as it is and what is written from then on, typed into, and as large as there is room. */
export class TerminalView {
  readonly root: HTMLElement;
  readonly attachment: Attachment;
  readonly #screen: Screen;
  readonly #search: SearchBar;
  readonly #keys: SoftKeys;
  readonly #size = element('span', { className: 'figure quiet', title: 'Rows and columns of the terminal' });
  readonly #earlier = element('p', { className: 'earlier', hidden: true });
  readonly #watcher: ResizeObserver;
  readonly #told: Told;
  #task = UNKNOWN;
  #asked: Size | undefined;
  #live = false;
  #ended = false;

  constructor(taskId: string, place: HTMLElement, told: Told) {
    this.#told = told;
    const host = element('div', { className: 'screen' });
    const tools = element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Terminal' });
    this.root = element('div', { className: 'terminal-view' }, this.#earlier, host, tools);
    place.append(this.root);
    this.#screen = new Screen(host);
    this.#search = new SearchBar(this.#screen);
    this.#keys = new SoftKeys(
      (text) => this.#type(text),
      () => this.#screen.terminal.focus(),
      () => this.#screen.terminal.modes.applicationCursorKeysMode,
    );
    tools.append(
      this.#search.root,
      button('Search', { title: 'Search (Ctrl+Shift+F)' }, () => this.#search.open()),
      button('Copy', { title: 'Copy what is selected, or all of it (Ctrl+Shift+C)' }, () => this.#copy()),
      button('−', { title: 'Smaller (Ctrl −)', ariaLabel: 'Smaller' }, () => this.#zoom(-1)),
      button('+', { title: 'Larger (Ctrl +)', ariaLabel: 'Larger' }, () => this.#zoom(1)),
      this.#readAloud(),
      this.#size,
    );
    this.root.append(this.#keys.root);
    this.attachment = new Attachment(
      taskId,
      { screen: HISTORY_LINES },
      crypto.randomUUID?.() ?? String(Math.random()).slice(2),
      this.#audience(taskId),
      BROWSER,
    );
    const terminal = this.#screen.terminal;
    terminal.onData((text) => this.#type(this.#keys.through(text)));
    terminal.onBinary((bytes) => this.#send(Uint8Array.from(bytes, (each) => each.charCodeAt(0))));
    terminal.attachCustomKeyEventHandler((event) => this.#shortcut(event));
    // Before xterm.js hears of it, which would paste at once.
    host.addEventListener(
      'paste',
      (event) => {
        event.preventDefault();
        event.stopPropagation();
        this.#paste(event.clipboardData?.getData('text/plain') ?? '');
      },
      { capture: true },
    );
    host.addEventListener('focusin', () => this.#fit());
    this.#watcher = new ResizeObserver(() => this.#fit());
    this.#watcher.observe(host);
    this.#showSize();
  }

  focus(): void {
    this.#screen.terminal.focus();
  }

  search(): void {
    this.#search.open();
  }

  /** What can be read in it, above the screen too. */
  text(): string {
    return this.#screen.text();
  }

  close(): void {
    this.attachment.close();
    this.#watcher.disconnect();
    this.#screen.close();
    this.root.remove();
  }

  #audience(taskId: string): Audience {
    return {
      screen: (part, begins) => this.#show(taskId, part, begins),
      output: (_channel, bytes, parsed) => this.#screen.terminal.write(bytes, parsed),
      joinedAt: () => undefined, // it begins with a screen
      frame: (frame) => {
        if (frame.known && frame.frame.type === 'tool_task_resized') this.#resized(frame.frame);
        if (frame.known && frame.frame.type === 'tool_task_status' && frame.frame.phase === 'ended') this.#end();
        this.#told.frame(frame);
      },
      standing: (standing) => {
        this.#live = standing.is === 'live';
        if (standing.is === 'ended') this.#end();
        if (this.#live) this.#fit();
        this.#told.standing(standing);
      },
      viewers: (viewers, self) => this.#told.viewers(viewers, self),
      refused: (message) => this.#told.refused(message),
    };
  }

  #show(taskId: string, part: ScreenPart, begins: boolean): void {
    if (begins) {
      this.#screen.clear(part);
      this.#asked = undefined;
      this.#task = part;
      this.#showSize();
    }
    this.#screen.terminal.write(part.bytes, () => {
      if (part.left === 0 && this.#screen.terminal.buffer.normal.baseY >= HISTORY_LINES) this.#leftOut(taskId);
    });
  }

  #leftOut(taskId: string): void {
    this.#earlier.hidden = false;
    this.#earlier.replaceChildren(
      `What is more than ${HISTORY_LINES} lines above is left out here. `,
      element('a', { href: outputAddress(taskId, 'pty'), target: '_blank' }, 'All of it, as it was written'),
    );
  }

  #resized(size: Size): void {
    this.#asked = undefined;
    this.#task = size;
    this.#screen.resize(size);
    this.#showSize();
  }

  #end(): void {
    this.#ended = true;
    this.#screen.terminal.options.disableStdin = true;
    this.#screen.terminal.textarea?.toggleAttribute('readonly', true);
    this.#screen.terminal.write('\x1b[?25l'); // no cursor where nobody types any more
    this.#keys.root.hidden = true;
  }

  /** Who looks at it last says how large it is; others show it as large as it is. */
  #fit(): void {
    const size = this.#screen.fitting();
    const coming = this.#asked ?? this.#task;
    if (!this.#live || this.#ended || size === undefined || (size.rows === coming.rows && size.cols === coming.cols))
      return;
    this.#asked = size;
    this.attachment.resize(size.rows, size.cols);
  }

  #showSize(): void {
    say(this.#size, `${this.#task.cols} × ${this.#task.rows}`);
  }

  #type(text: string): void {
    this.#send(new TextEncoder().encode(text));
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.#ended) this.attachment.input(bytes);
  }

  #paste(text: string): void {
    if (text === '' || this.#ended) return;
    const question = questionOf(text, this.#screen.terminal.modes.bracketedPasteMode);
    const paste = (): void => {
      this.#screen.terminal.paste(text);
      this.focus();
    };
    if (question === null) paste();
    else askFirst(question, preview(text), 'Paste', paste);
  }

  #copy(): void {
    const selected = this.#screen.terminal.getSelection();
    void copy(selected === '' ? this.text() : selected);
    this.#screen.terminal.clearSelection();
    this.focus();
  }

  /** For those who hear the screen: it costs speed, so it is off unless wanted, and shown only to the keyboard. */
  #readAloud(): HTMLButtonElement {
    const toggle = button('Screen reader', { className: 'unseen', ariaPressed: 'false' }, () => {
      const on = toggle.ariaPressed !== 'true';
      toggle.ariaPressed = String(on);
      this.#screen.terminal.options.screenReaderMode = on;
    });
    return toggle;
  }

  #zoom(by: number): void {
    this.#screen.zoom(by);
    this.#fit();
    this.focus();
  }

  /** False for what is not the program's to hear. */
  #shortcut(event: KeyboardEvent): boolean {
    // Where nobody types any more, keys are the page's; what scrolls still scrolls.
    if (this.#ended && event.key.length === 1 && !(event.ctrlKey && event.key === 'c')) return false;
    if (event.type !== 'keydown' || !(event.ctrlKey || event.metaKey)) return true;
    const act = ((): (() => void) | undefined => {
      if (event.shiftKey && event.code === 'KeyF') return () => this.#search.open();
      if (event.shiftKey && event.code === 'KeyC') return () => this.#copy();
      if (event.shiftKey && event.code === 'KeyV')
        return () => void navigator.clipboard?.readText().then((text) => this.#paste(text));
      if (event.shiftKey && event.code === 'KeyE')
        return () => document.querySelector<HTMLElement>('header a')?.focus();
      if (event.key === '+' || event.key === '=') return () => this.#zoom(1);
      if (event.key === '-') return () => this.#zoom(-1);
      if (event.key === '0') return () => this.#zoom(0);
      return undefined;
    })();
    if (act === undefined) return true;
    event.preventDefault();
    act();
    return false;
  }
}
