import { beforeEach, expect, test, vi } from 'vitest';
import { SoftKeys } from './soft-keys';

/** The part of a button that the keys use. */
class Pressed {
  ariaLabel = '';
  ariaPressed = '';
  press = (): void => undefined;
  append(): void {}
  addEventListener(type: string, act: (event: object) => void): void {
    if (type === 'pointerdown') this.press = () => act({ preventDefault: () => undefined });
  }
}

let made: Pressed[];
let typed: string[];

function keys(applicationCursor = false): SoftKeys {
  return new SoftKeys((text) => typed.push(text), () => undefined, () => applicationCursor);
}

function press(name: string): void {
  made.find(({ ariaLabel }) => ariaLabel === name)?.press();
}

function isHeld(): boolean {
  return made[0]?.ariaPressed === 'true';
}

beforeEach(() => {
  made = [];
  typed = [];
  vi.stubGlobal('document', {
    createElement: () => {
      const each = new Pressed();
      made.push(each);
      return each;
    },
  });
  return () => vi.unstubAllGlobals();
});

test.each([
  ['Left', '\x1b[1;5D'],
  ['Up', '\x1b[1;5A'],
  ['Slash', '\x1f'],
  ['Pipe', '\x1c'],
  ['Tab', '\t'],
])('Ctrl is held for %s, and for nothing after it', (name, sent) => {
  for (const applicationCursor of [false, true]) {
    made = [];
    typed = [];
    keys(applicationCursor);
    press('Control, for the next key');
    press(name);
    press('Tilde');
    expect(typed).toEqual([sent, '~']);
  }
});

test.each([
  ['c', '\x03'],
  ['\\', '\x1c'],
  ['\x1b[D', '\x1b[1;5D'],
  ['\x1b[5~', '\x1b[5~'],
  ['a word', 'a word'],
])('%j typed with Ctrl is %j, and releases it', (text, sent) => {
  const soft = keys();
  press('Control, for the next key');
  expect(soft.through(text)).toBe(sent);
  expect(isHeld()).toBe(false);
});

test.each(['\x1b[I', '\x1b[3;4R', '\x1b[?62c', '\x1b]11;rgb:0/0/0\x1b\\', '\x1b[<0;1;1M'])(
  '%j, which was not typed, leaves Ctrl held',
  (said) => {
    const soft = keys();
    press('Control, for the next key');
    expect(soft.through(said)).toBe(said);
    expect(isHeld()).toBe(true);
  },
);

test('arrows without Ctrl stay as the program wants them', () => {
  keys();
  press('Left');
  made = [];
  keys(true);
  press('Left');
  expect(typed).toEqual(['\x1b[D', '\x1bOD']);
});
