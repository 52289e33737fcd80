import { beforeEach, expect, test } from 'vitest';
import { Attachment } from './attachment';
import { output, ready, Watching, World } from './other-end';

let world: World;
let seen: Watching;

beforeEach(() => {
  world = new World();
  seen = new Watching();
  new Attachment('a task', { from_seq: 0 }, 'me', seen, world);
});

test('of a flood what is parsed is acknowledged 64 KiB at a time, and a rest a moment later', () => {
  world.line.hears(ready(0));
  const piece = 'x'.repeat(40 * 1024);
  for (let i = 0; i < 5; i++) world.line.hears(output(i + 1, i * piece.length, piece));
  expect(world.line.sent).toEqual(['parsed 0']);
  seen.parsed.forEach((parsed) => parsed());
  expect(world.line.sent).toEqual(['parsed 0', 'parsed 2', 'parsed 4']);
  world.timePasses();
  expect(world.line.sent).toEqual(['parsed 0', 'parsed 2', 'parsed 4', 'parsed 5']);
});

test('what comes in several pieces is acknowledged as soon as the last of them is parsed', () => {
  world.line.hears(ready(0));
  const piece = 'x'.repeat(60 * 1024);
  for (let i = 0; i < 4; i++) world.line.hears(output(i === 3 ? 9 : 0, i * piece.length, piece));
  seen.parsed.slice(0, 3).forEach((parsed) => parsed());
  expect(world.line.sent).toEqual(['parsed 0']);
  seen.parsed[3]!();
  expect(world.line.sent).toEqual(['parsed 0', 'parsed 9']);
});

test('keys, and pieces of which nothing was kept, are acknowledged together', () => {
  world.line.hears(ready(0));
  for (let i = 1; i <= 5; i++) world.line.hears(output(i, 0, ''));
  seen.parsed.forEach((parsed) => parsed());
  expect(world.line.sent).toEqual(['parsed 0']);
  world.timePasses();
  expect(world.line.sent).toEqual(['parsed 0', 'parsed 5']);
});
