import { Terminal } from '@xterm/headless';
import { expect, test } from 'vitest';
import { isAnswer } from './answers';

test.each(['\x1b[c', '\x1b[>c', '\x1b[5n', '\x1b[6n', '\x1b[?6n', '\x1b[?25$p', '\x1b[4$p', '\x1bP$qm\x1b\\'])(
  'the output of xterm.js for %j is a reply',
  async (question) => {
    const terminal = new Terminal({ allowProposedApi: true });
    const said = new Promise<string>((resolve) => terminal.onData(resolve));
    terminal.write(question);
    expect(isAnswer(await said)).toBe(true);
  },
);

test.each(['a', '\x1b', '\x1b[A', '\x1bOP', '\x1b[200~paste\x1b[201~', '\x1b[I', '\x1b[<0;3;4M', 'c', 'n', '\x1b[15~'])(
  'input by keyboard, paste or mouse (%j) is not a reply',
  (typed) => {
    expect(isAnswer(typed)).toBe(false);
  },
);
