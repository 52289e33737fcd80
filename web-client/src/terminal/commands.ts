import type { IDecoration, IMarker, Terminal } from '@xterm/xterm';

const MOST_MARKS = 500; // the newest commands

interface Command {
  readonly prompt: IMarker;
  readonly mark: IDecoration | undefined;
}

/**
 * The commands of a shell that says where its prompts are (OSC 133: A before the prompt, C before the output, D with the exit code behind
 * it). Each has a mark beside its prompt, with the outcome, and is a place to jump to.
 */
export class CommandMarks {
  readonly #terminal: Terminal;
  #commands: Command[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    terminal.parser.registerOscHandler(133, (data) => {
      const [what, code] = data.split(';');
      if (what === 'A') this.#begin();
      if (what === 'C') this.#tell('running');
      if (what === 'D') this.#tell(code === undefined || code === '' ? 'ended' : code === '0' ? 'succeeded' : 'failed', code);
      return true;
    });
  }

  get count(): number {
    return this.#commands.length;
  }

  /** Scrolls to the prompt above the top of the view, or to the one below it. */
  step(by: 1 | -1): void {
    const { active } = this.#terminal.buffer;
    const lines = this.#commands.map(({ prompt }) => prompt.line).filter((line) => line >= 0);
    const top = active.viewportY;
    const next = by === 1 ? lines.find((line) => line > top) : lines.findLast((line) => line < top);
    if (next !== undefined) this.#terminal.scrollToLine(next);
    else if (by === 1) this.#terminal.scrollToBottom();
  }

  #begin(): void {
    if (this.#terminal.buffer.active.type === 'alternate') return;
    const prompt = this.#terminal.registerMarker(0);
    const mark = this.#terminal.registerDecoration({ marker: prompt, x: 0, width: 1 });
    mark?.onRender((element) => element.classList.add('command-mark'));
    this.#commands.push({ prompt, mark });
    prompt.onDispose(() => (this.#commands = this.#commands.filter((each) => each.prompt !== prompt)));
    if (this.#commands.length > MOST_MARKS) this.#commands[0]?.prompt.dispose();
  }

  /** The outcome of the last command. */
  #tell(outcome: string, code?: string): void {
    const mark = this.#commands.at(-1)?.mark;
    const show = (element: HTMLElement): void => {
      element.dataset['outcome'] = outcome;
      element.title = code === undefined || code === '' ? outcome : `exit code ${code.replace(/[^\d-]/g, '')}`;
    };
    mark?.onRender(show);
    if (mark?.element !== undefined) show(mark.element);
  }
}
