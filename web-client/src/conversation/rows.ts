import { plain } from '../log/ansi';
import { button, element, say } from '../page/element';
import { taskAddress } from '../route';
import { shortTime } from '../tasks/words';
import type { Call, CallState, Item, Message, Note, Text, Turn } from './model';
import { partsOf, type Part } from './text';

const SHOWN_CHARS = 20_000; // of a text, before the rest is asked for: a browser takes long to lay out more

/** An item as a row of the conversation. */
export interface ItemRow {
  readonly root: HTMLElement;
  /** Draws the item as it is now. */
  draw(): void;
}

export function rowOf(item: Item, taskId: string): ItemRow {
  switch (item.is) {
    case 'turn':
      return turnRow(item, taskId);
    case 'message':
      return messageRow(item);
    case 'call':
      return callRow(item, taskId);
    case 'note':
      return noteRow(item, taskId);
  }
}

const KINDS = { prompt: 'Prompt', steer: 'Steer', follow_up: 'Follow-up', resume: 'Resume' } as const;

function turnRow({ seq, at, turn, kind, prompt, actor }: Turn, taskId: string): ItemRow {
  const text = new Parts();
  text.show({ text: prompt, more: 0 });
  const head = element(
    'p',
    { className: 'by' },
    element('b', {}, KINDS[kind]),
    element('span', {}, actor),
    frameLink(taskId, seq, at, `Turn ${turn}`),
  );
  return fixed(element('li', { className: 'turn' }, head, text.root));
}

function messageRow(message: Message): ItemRow {
  const text = new Parts();
  const draw = (): void => text.show(message.said);
  if (message.role === 'assistant') return { root: element('li', { className: 'said' }, text.root), draw };
  const fold = element('details', {}, element('summary', {}, 'Thought'), text.root);
  // A closed thought is drawn when it is opened.
  fold.addEventListener('toggle', () => fold.open && draw());
  return { root: element('li', { className: 'thought' }, fold), draw: () => fold.open && draw() };
}

const MARKS: { readonly [S in CallState]: readonly [string, string] } = {
  pending: ['○', 'pending'],
  running: ['◐', 'running'],
  completed: ['✓', 'completed'],
  failed: ['✗', 'failed'],
  unfinished: ['–', 'not finished'],
};

function callRow(call: Call, taskId: string): ItemRow {
  const mark = element('span', { className: 'mark', ariaHidden: 'true' });
  const title = element('span', { className: 'what' });
  const name = element('code', { className: 'quiet' });
  const state = element('span', { className: 'quiet' });
  const child = element('a', { hidden: true }, 'Child task');
  const input = new Fold('Input');
  const output = new Fold('Output');
  const head = element('p', {}, mark, title, name, state, child, frameLink(taskId, call.seq, call.at, 'Tool call'));
  const root = element('li', { className: 'call' }, head, input.root, output.root);
  const draw = (): void => {
    const [shape, word] = MARKS[call.state];
    root.dataset['state'] = call.state;
    say(mark, shape);
    say(title, oneLine(call.title ?? call.name ?? 'Tool call'));
    say(name, call.title === null || call.name === null || call.name === call.title ? '' : oneLine(call.name));
    say(state, word);
    child.hidden = call.child === null;
    if (call.child !== null) child.href = taskAddress(call.child);
    input.show(call.input);
    output.show(call.output);
  };
  return { root, draw };
}

function noteRow({ seq, at, text, isTrouble, href }: Note, taskId: string): ItemRow {
  const what = element('span', { className: 'what' }, href === undefined ? plain(text) : element('a', { href }, plain(text)));
  const root = element('li', { className: 'event' }, element('p', {}, what, frameLink(taskId, seq, at, 'Event')));
  if (isTrouble) root.dataset['mood'] = 'bad';
  return fixed(root);
}

function fixed(root: HTMLElement): ItemRow {
  return { root, draw: () => undefined };
}

function frameLink(taskId: string, seq: number, at: number, what: string): HTMLElement {
  return element(
    'a',
    {
      className: 'figure quiet',
      href: taskAddress(taskId, 'timeline', seq),
      title: `${new Date(at).toLocaleString()}, frame ${seq}`,
      ariaLabel: `${what}, ${shortTime(at, Date.now())}, frame ${seq} in the timeline`,
    },
    shortTime(at, Date.now()),
  );
}

function oneLine(text: string): string {
  return plain(text).replaceAll(/\s+/g, ' ').trim();
}

/** A text in its parts. As it grows, only the last part is drawn again. */
class Parts {
  readonly #parts = element('div', { className: 'parts' });
  readonly #more = element('p', { className: 'quiet', hidden: true });
  readonly #all = button('', { className: 'link', hidden: true }, () => {
    this.#isWhole = true;
    this.show(this.#text);
  });
  readonly root = element('div', { className: 'told' }, this.#parts, this.#all, this.#more);
  #text: Text = { text: '', more: 0 };
  #isWhole = false;
  #shown: readonly Part[] = [];

  show(text: Text): void {
    this.#text = text;
    const isCut = !this.#isWhole && text.text.length > SHOWN_CHARS;
    const parts = partsOf(isCut ? text.text.slice(0, SHOWN_CHARS) : text.text);
    parts.forEach((part, i) => {
      const before = this.#shown[i];
      const drawn = this.#parts.children[i];
      if (before?.isCode === part.isCode && drawn !== undefined) {
        if (before.text !== part.text) say(drawn.querySelector('code') ?? drawn, part.text);
        return;
      }
      const made = part.isCode ? codeOf(part.text) : element('p', {}, part.text);
      if (drawn === undefined) this.#parts.append(made);
      else drawn.replaceWith(made);
    });
    while (this.#parts.childElementCount > parts.length) this.#parts.lastElementChild?.remove();
    this.#shown = parts;
    this.#all.hidden = !isCut;
    if (isCut) say(this.#all, `Show all ${counted(text.text.length)} characters`);
    this.#more.hidden = isCut || text.more === 0;
    say(this.#more, `… ${counted(text.more)} more characters are in the timeline only.`);
  }
}

/** Input or output of a tool call, drawn when it is opened. */
class Fold {
  readonly #size = element('span', { className: 'quiet' });
  readonly #code = element('code', {});
  readonly #more = element('p', { className: 'quiet', hidden: true });
  readonly root: HTMLDetailsElement;
  #text: Text = { text: '', more: 0 };

  constructor(name: string) {
    this.root = element(
      'details',
      { hidden: true },
      element('summary', {}, name, ' ', this.#size),
      element('pre', { tabIndex: 0 }, this.#code),
      this.#more,
    );
    this.root.addEventListener('toggle', () => this.show(this.#text));
  }

  show(text: Text): void {
    this.#text = text;
    this.root.hidden = text.text === '';
    say(this.#size, `${counted(text.text.length + text.more)} characters`);
    if (!this.root.open) return;
    say(this.#code, plain(text.text.slice(0, SHOWN_CHARS)));
    const more = text.more + Math.max(0, text.text.length - SHOWN_CHARS);
    this.#more.hidden = more === 0;
    say(this.#more, `… ${counted(more)} more characters are in the timeline only.`);
  }
}

function codeOf(text: string): HTMLElement {
  return element('pre', { tabIndex: 0 }, element('code', {}, text));
}

function counted(count: number): string {
  return count.toLocaleString('en');
}
