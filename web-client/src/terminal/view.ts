import { Attachment } from '../attach/attachment';
import type { Audience, Company, Standing } from '../attach/audience';
import { BROWSER } from '../attach/surroundings';
import type { Rights, ScreenPart } from '../attach/wire';
import type { Frame } from '../frames/frames';
import { button, element, say } from '../page/element';
import { copy, saysBriefly } from '../page/clipboard';
import type { Choice } from '../page/palette';
import { uniqueName } from '../page/unique';
import { askFirst } from '../page/help';
import { IS_MAC, IS_WINDOWS, letterOf } from '../page/keys';
import type { Hit } from '../watchers/hits';
import { isAnswer } from './answers';
import { CommandMarks } from './commands';
import { drawHollow } from './exact';
import { HitMarks } from './hit-marks';
import { TerminalLog } from './log';
import { Offline } from './offline';
import { Screen } from './screen';
import { pasteable, preview, questionOf } from './paste';
import type { SearchBar } from '../page/search-bar';
import { terminalSearch } from './search-bar';
import { Sizing } from './sizing';
import { SoftKeys, withCtrl } from './soft-keys';

export interface Told {
  frame(frame: Frame): void;
  standing(standing: Standing): void;
  company(company: Company): void;
  refused(message: string): void;
  /** A read-only viewer turns typing on again. */
  typeAgain(): void;
}

const HISTORY_LINES = 1000; // above the screen: the most that the server gives
const CAN_READ_CLIPBOARD = navigator.clipboard?.readText !== undefined; // not over plain HTTP from afar
const SCROLLS: ReadonlySet<string> = new Set(['PageUp', 'PageDown', 'Home', 'End', 'ArrowUp', 'ArrowDown']);
const KEPT_BY_BROWSERS = ['W', 'N', 'T']; // close a window, open one, open a tab: browsers do not let a page prevent it

/** A task's terminal: its current screen, then its output; takes input, and fills its place. */
export class TerminalView {
  readonly root: HTMLElement;
  readonly attachment: Attachment;
  readonly #screen: Screen;
  readonly #search: SearchBar;
  readonly #keys: SoftKeys;
  /** Shows the size of the terminal. */
  readonly size = button('', { className: 'figure size' }, () => undefined);
  readonly #sizing: Sizing;
  /** Screen reader mode costs speed, so it is off by default, and its button is visible only with focus. */
  readonly #aloud = button('Screen reader', { className: 'unseen', ariaPressed: 'false' }, () => {
    const on = this.#aloud.ariaPressed !== 'true';
    this.#aloud.ariaPressed = String(on);
    this.#screen.terminal.options.screenReaderMode = on;
  });
  /** Its name stays the same, while its text says for a moment that it is done. */
  readonly #copies = button('Copy', { ariaLabel: 'Copy', title: 'Copy the selection, or everything (Ctrl+Shift+C)' }, () => this.#copy());
  /** For devices without these keys. */
  readonly #pastes = button('Paste', { title: 'Paste (Ctrl+Shift+V)', hidden: !CAN_READ_CLIPBOARD }, () =>
    this.#pasteClipboard(),
  );
  readonly #earlier = element('p', { className: 'earlier', hidden: true });
  readonly #watching = element(
    'p',
    { className: 'watching', role: 'status', hidden: true },
    'Read-only: typing is off. ',
    button('Turn on typing', { className: 'link' }, () => {
      this.#told.typeAgain();
      this.focus();
    }),
  );
  readonly #offline = new Offline(
    () => this.attachment.typed,
    () => this.#screen.cursorLine(),
    () => this.attachment.discardTyped(),
    (isShown) => {
      this.root.classList.toggle('away', isShown);
      drawHollow(this.#screen.terminal, isShown);
    },
  );
  readonly #tools = element('div', { className: 'tools', role: 'toolbar', ariaLabel: 'Terminal' });
  readonly #host = element('div', { className: 'screen' });
  readonly #taskId: string;
  /** The output as a log, instead of the screen. */
  #log: TerminalLog | undefined;
  readonly #views = element(
    'div',
    { className: 'segments', role: 'group', ariaLabel: 'What is shown' },
    button('Screen', { ariaPressed: 'true', title: 'The screen of the terminal' }, () => this.showScreen()),
    button('Log', { ariaPressed: 'false', title: 'All lines, from the first one on' }, () => this.showLog()),
  );
  #end: HTMLElement | undefined;
  readonly #marks: HitMarks;
  readonly #commands: CommandMarks;
  #hits: readonly Hit[] = [];
  readonly #told: Told;
  #ended = false;
  #failed = false;
  #drivers = 1;

  constructor(taskId: string, place: HTMLElement, told: Told, rights: Rights) {
    this.#taskId = taskId;
    this.#told = told;
    const host = this.#host;
    this.root = element('div', { className: 'terminal-view' }, this.#earlier, this.#offline.root, host, this.#tools);
    place.append(this.root);
    this.#screen = new Screen(host);
    this.#marks = new HitMarks(this.#screen);
    this.#commands = new CommandMarks(this.#screen.terminal);
    this.#sizing = new Sizing(
      this.#screen,
      host,
      ({ rows, cols }) => this.attachment.resize(rows, cols),
      () => this.#showSize(),
    );
    this.#showSize();
    this.#search = terminalSearch(this.#screen);
    this.#keys = new SoftKeys(
      (text) => this.#type(text),
      () => this.#screen.terminal.focus(),
      () => this.#screen.terminal.modes.applicationCursorKeysMode,
    );
    this.root.append(this.#search.root);
    this.#tools.append(
      this.#views,
      this.#watching,
      button('Search', { title: 'Search (Ctrl+Shift+F)' }, () => this.#search.open()),
      this.#copies,
      this.#pastes,
      button('−', { title: 'Decrease font size (Ctrl −)', ariaLabel: 'Decrease font size' }, () => this.#zoom(-1)),
      button('+', { title: 'Increase font size (Ctrl +)', ariaLabel: 'Increase font size' }, () => this.#zoom(1)),
      this.#aloud,
      this.size,
    );
    this.root.append(this.#keys.root);
    this.attachment = new Attachment(
      taskId,
      { screen: HISTORY_LINES },
      uniqueName(),
      this.#audience(),
      BROWSER,
      rights,
    );
    this.#watching.hidden = rights !== 'view';
    const terminal = this.#screen.terminal;
    terminal.onData((text) => {
      if (this.#isOneToAnswer || !isAnswer(text)) this.#type(this.#keys.through(text));
    });
    terminal.onBinary((bytes) => this.#send(Uint8Array.from(bytes, (each) => each.charCodeAt(0))));
    terminal.attachCustomKeyEventHandler((event) => this.#shortcut(event));
    // Runs before the handler of xterm.js, which would paste at once.
    host.addEventListener(
      'paste',
      (event) => {
        event.preventDefault();
        event.stopPropagation();
        this.#paste(event.clipboardData?.getData('text/plain') ?? '');
      },
      { capture: true },
    );
  }

  allow(rights: Rights): void {
    this.#watching.hidden = rights !== 'view' || this.#ended;
    this.attachment.allow(rights);
  }

  /** The place of further controls. */
  get tools(): HTMLElement {
    return this.#log?.pane.tools ?? this.#tools;
  }

  /** Shows the end among the tools of the screen: a separate row would shrink it. */
  ends(how: HTMLElement): void {
    this.#end = how;
    if (this.#log === undefined) this.#tools.prepend(how);
    else this.root.append(how);
  }

  /** Whether it is shown as a log, which takes no input. */
  get isLog(): boolean {
    return this.#log !== undefined;
  }

  /** Shows all lines of the output, numbered, as a log. */
  showLog(): void {
    if (this.#log !== undefined) return;
    const steps = [...this.#tools.querySelectorAll('.hit-steps')];
    this.#log = new TerminalLog(this.#taskId, (reason) => this.#told.refused(reason));
    if (this.#ended) this.#log.pane.ended(this.#failed);
    this.#log.pane.tools.prepend(this.#views);
    this.#log.pane.tools.append(...steps);
    this.root.append(this.#log.pane.root);
    this.#change(true);
    this.#log.pane.goToAddress();
    this.#log.pane.focus();
  }

  showScreen(): void {
    if (this.#log === undefined) return;
    const steps = [...this.#log.pane.tools.querySelectorAll('.hit-steps')];
    this.#log.close();
    this.#log = undefined;
    this.#tools.prepend(this.#views);
    this.#tools.append(...steps);
    this.#screen.toEnd();
    this.#change(false);
    this.focus();
  }

  #change(isLog: boolean): void {
    this.root.classList.toggle('as-log', isLog);
    [...this.#views.children].forEach((each, i) => (each.ariaPressed = String(isLog === (i === 1))));
    if (this.#end !== undefined) this.ends(this.#end);
    if (!isLog) this.#sizing.fit();
  }

  /** Shows what the address names; lines and searches are those of the log. */
  goToAddress(): void {
    if (this.#log !== undefined) this.#log.pane.goToAddress();
    else if (/[?&](line|find)=/.test(location.hash)) this.showLog();
  }

  /** Handles a key of the log; returns whether it had an effect. */
  key(key: string): boolean {
    return this.#log?.pane.key(key) === true;
  }

  focus(): void {
    if (this.#log === undefined) this.#screen.terminal.focus();
    else this.#log.pane.focus();
  }

  search(): void {
    if (this.#log === undefined) this.#search.open();
    else this.#log.pane.search();
  }

  /** Its commands in the palette. */
  choices(): Choice[] {
    if (this.#log !== undefined) return [{ name: 'Show the screen', hint: '', act: () => this.showScreen() }, ...this.#log.pane.choices()];
    const terminal = this.#screen.terminal;
    const aloud = terminal.options.screenReaderMode === true;
    const kept = this.#ended ? [] : KEPT_BY_BROWSERS.map((key) => this.#sends(key));
    return [
      { name: 'Search the terminal', hint: 'Ctrl+Shift+F', act: () => this.#search.open() },
      { name: 'Show all lines as a log', hint: '', act: () => this.showLog() },
      ...(this.#commands.count === 0
        ? []
        : [
            { name: 'Previous command', hint: 'Ctrl+Shift+↑', act: () => this.#commands.step(-1) },
            { name: 'Next command', hint: 'Ctrl+Shift+↓', act: () => this.#commands.step(1) },
          ]),
      { name: 'Copy', hint: 'Ctrl+Shift+C', act: () => this.#copy() },
      ...(this.#pastes.hidden || this.#ended ? [] : [{ name: 'Paste', hint: 'Ctrl+Shift+V', act: () => this.#pasteClipboard() }]),
      { name: 'Select all', hint: '', act: () => (terminal.selectAll(), this.focus()) },
      { name: 'Clear the selection', hint: '', act: () => (terminal.clearSelection(), this.focus()) },
      { name: 'Increase font size', hint: 'Ctrl +', act: () => this.#zoom(1) },
      { name: 'Decrease font size', hint: 'Ctrl −', act: () => this.#zoom(-1) },
      { name: 'Reset font size', hint: 'Ctrl 0', act: () => this.#zoom(0) },
      { name: aloud ? 'Turn off screen reader mode' : 'Turn on screen reader mode', hint: '', act: () => this.#aloud.click() },
      ...kept,
    ];
  }

  #sends(key: string): Choice {
    const act = (): void => {
      this.#type(withCtrl(key));
      this.focus();
    };
    return { name: `Send Ctrl+${key}`, hint: 'reserved by the browser', act };
  }

  /** Marks the lines of these hits on the scrollbar, once what is written is drawn. */
  mark(hits: readonly Hit[]): void {
    this.#hits = hits;
    this.#screen.write('', () => this.#marks.show(this.#hits));
  }

  /** Its text, with the scrollback. */
  text(): string {
    return this.#screen.text();
  }

  /** The task has ended with this outcome, which the page may know before its last output has come: it takes no keys any more. */
  outcome(failed: boolean): void {
    this.#failed = failed;
    this.#ends();
  }

  /** Whether the server responds to other requests. */
  answers(does: boolean): void {
    this.#offline.answers(does);
  }

  close(): void {
    this.#log?.close();
    this.attachment.close();
    this.#offline.close();
    this.#sizing.close();
    this.#screen.close();
    this.root.remove();
  }

  #audience(): Audience {
    return {
      screen: (part, begins, parsed) => this.#show(part, begins, parsed),
      output: (_channel, bytes, parsed) => this.#screen.write(bytes, parsed),
      joinedAt: () => undefined, // it begins with a screen
      frame: (frame) => {
        if (frame.known && frame.frame.type === 'tool_task_resized') this.#sizing.resized(frame.frame);
        if (frame.known && frame.frame.type === 'tool_task_status' && frame.frame.phase === 'ended') this.#ends();
        this.#told.frame(frame);
      },
      standing: (standing) => {
        this.#sizing.live = standing.is === 'live' && !this.#ended && this.attachment.rights === 'control';
        this.#offline.stand(standing);
        if (standing.is === 'ended') this.#complete();
        if (this.#sizing.live) this.#sizing.fit();
        this.#told.standing(standing);
      },
      company: (company) => {
        this.#sizing.company(company);
        this.#drivers = company.viewers.filter(({ rights }) => rights === 'control').length;
        this.#told.company(company);
      },
      fellBehind: () => false, // it skips to a screen, which the server sends
      refused: (message) => this.#told.refused(message),
    };
  }

  /** Only one of several windows answers the terminal queries of the program, and none answers those in the history. */
  get #isOneToAnswer(): boolean {
    return this.#sizing.live && (this.#drivers < 2 || document.hasFocus());
  }

  #show(part: ScreenPart, begins: boolean, parsed: () => void): void {
    if (begins) this.#sizing.begins(part);
    if (begins) this.#marks.clear();
    this.#screen.write(part.bytes, () => {
      parsed();
      if (part.left > 0) return;
      this.#marks.show(this.#hits);
      const { normal } = this.#screen.terminal.buffer;
      if (normal.length >= HISTORY_LINES) this.#leftOut(); // a screen that became higher took some of them
    });
  }

  #leftOut(): void {
    const open = button('Open all of it as a log', { className: 'link' }, () => this.showLog());
    this.#tell(`The screen keeps ${HISTORY_LINES} lines above it. `, open);
  }

  #tell(...what: (Node | string)[]): void {
    this.#earlier.hidden = false;
    this.#earlier.replaceChildren(...what);
  }

  #ends(): void {
    this.#ended = true;
    this.#log?.pane.ended(this.#failed);
    this.#sizing.live = false;
    this.#screen.terminal.options.disableStdin = true;
    this.#screen.terminal.textarea?.toggleAttribute('readonly', true);
    this.#keys.root.hidden = this.#watching.hidden = this.#pastes.disabled = true;
  }

  /** All of the output is here, also a screen that was sent after the end. */
  #complete(): void {
    this.#ends();
    // An ended terminal takes no input, so it has no cursor.
    this.#screen.write('\x1b[?25l', () => {
      if (this.text() === '') this.#tell('No output.');
    });
  }

  #showSize(): void {
    const { size, policy } = this.#sizing;
    say(this.size, `${size.cols} × ${size.rows}${policy === 'latest' ? '' : ` · ${policy}`}`);
    this.size.title = 'Columns and rows. Click for the viewers and the terminal size';
  }

  #type(text: string): void {
    this.#send(new TextEncoder().encode(text));
  }

  #send(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#ended) return;
    this.attachment.input(bytes);
    this.#offline.update();
  }

  #paste(copied: string): void {
    const text = pasteable(copied);
    if (text === '' || this.#ended) return;
    const question = questionOf(text, this.#screen.terminal.modes.bracketedPasteMode);
    const paste = (): void => {
      this.#screen.terminal.paste(text);
      this.focus();
    };
    if (question === null) paste();
    else askFirst(question, preview(text), 'Paste', paste);
  }

  #pasteClipboard(): void {
    navigator.clipboard.readText().then(
      (text) => this.#paste(text),
      () => this.#told.refused('The browser does not let this page read the clipboard.'),
    );
  }

  #copy(): void {
    const selected = this.#screen.terminal.getSelection();
    copy(selected === '' ? this.text() : selected).then(
      () => {
        this.#screen.terminal.clearSelection();
        saysBriefly(this.#copies, 'Copied', 'Copy');
      },
      (refused: Error) => this.#told.refused(refused.message),
    );
    this.focus();
  }

  #zoom(by: number): void {
    this.#screen.zoom(by);
    this.#sizing.fit();
    this.focus();
  }

  /** False for keys that the program must not get. */
  #shortcut(event: KeyboardEvent): boolean {
    // In an ended terminal keys belong to the page and the browser, except those that scroll.
    const isTerminals = !this.#ended || SCROLLS.has(event.key);
    if (event.type !== 'keydown' || !(event.ctrlKey || event.metaKey)) return isTerminals;
    const plain = event.ctrlKey && !event.shiftKey && !event.altKey && !event.metaKey ? letterOf(event) : '';
    // What Ctrl+C and Ctrl+V mean elsewhere on the same system. On a Mac, the browser does it with ⌘.
    if (plain === 'c' && !IS_MAC && this.#screen.terminal.hasSelection()) {
      event.preventDefault();
      this.#copy();
      return false;
    }
    if (plain === 'v' && IS_WINDOWS) return false; // the browser pastes
    const letter = event.shiftKey ? letterOf(event) : '';
    if (letter === 'k') return false; // the page's palette
    const act = ((): (() => void) | undefined => {
      if (letter === 'f') return () => this.#search.open();
      if (letter === 'c') return () => this.#copy();
      if (letter === 'v' && CAN_READ_CLIPBOARD) return () => this.#pasteClipboard(); // else the browser does
      if (event.shiftKey && event.key === 'ArrowUp') return () => this.#commands.step(-1);
      if (event.shiftKey && event.key === 'ArrowDown') return () => this.#commands.step(1);
      if (letter === 'e') return () => document.querySelector<HTMLElement>('header a')?.focus();
      if (event.key === '+' || event.key === '=') return () => this.#zoom(1);
      if (event.key === '-') return () => this.#zoom(-1);
      if (event.key === '0') return () => this.#zoom(0);
      return undefined;
    })();
    if (act === undefined) return isTerminals && letter !== 'v';
    event.preventDefault();
    act();
    return false;
  }
}
