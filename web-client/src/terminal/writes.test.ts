import { expect, test } from 'vitest';
import { Terminal } from '@xterm/headless';
import { Writes } from './writes';

const written = (writes: Writes, what: string): Promise<void> =>
  new Promise((parsed) => writes.write(new TextEncoder().encode(what), parsed));

function lines(terminal: Terminal): string[] {
  const { active } = terminal.buffer;
  return Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '').filter(
    (line) => line !== '',
  );
}

test('writes and actions happen in order', async () => {
  const terminal = new Terminal({ rows: 4, cols: 10, allowProposedApi: true });
  const writes = new Writes(terminal);
  const sizes: number[] = [];
  const pieces = Array.from({ length: 50 }, (_, i) => written(writes, `${i}\r\n`));
  writes.then(() => sizes.push(lines(terminal).length));
  pieces.push(written(writes, 'last'));
  await Promise.all(pieces);
  expect(lines(terminal)).toEqual([...Array.from({ length: 50 }, (_, i) => String(i)), 'last']);
  expect(sizes).toEqual([50]);
});

test('dropped writes count as parsed and are not shown; later ones are', async () => {
  const terminal = new Terminal({ rows: 4, cols: 10, allowProposedApi: true });
  const writes = new Writes(terminal);
  const [begun, ...left] = Array.from({ length: 50 }, (_, i) => written(writes, `${i}\r\n`));
  let resized = false;
  writes.then(() => (resized = true));
  writes.leaveOut();
  await Promise.all(left);
  expect(lines(terminal)).toEqual([]); // not even the first is parsed yet
  await written(writes, 'the screen');
  await begun;
  expect(lines(terminal)).toEqual(['0', 'the screen']);
  expect(resized).toBe(false);
});
