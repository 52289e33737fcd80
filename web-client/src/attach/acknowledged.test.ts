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

test('a flood is acknowledged 32 KiB at a time, and its rest a moment later', () => {
  world.line.hears(ready(0));
  const piece = 'x'.repeat(20 * 1024);
  for (let i = 0; i < 4; i++) world.line.hears(output(i + 1, i * piece.length, piece));
  expect(world.line.sent).toEqual(['parsed 0']);
  seen.parsed.forEach((parsed) => parsed());
  expect(world.line.sent).toEqual(['parsed 0', 'parsed 2', 'parsed 3']);
  world.timePasses();
  expect(world.line.sent).toEqual(['parsed 0', 'parsed 2', 'parsed 3', 'parsed 4']);
});

test('a frame in several pieces is acknowledged when its last piece is parsed', () => {
  world.line.hears(ready(0));
  const piece = 'x'.repeat(60 * 1024);
  for (let i = 0; i < 4; i++) world.line.hears(output(i === 3 ? 9 : 0, i * piece.length, piece));
  seen.parsed.slice(0, 3).forEach((parsed) => parsed());
  expect(world.line.sent).toEqual(['parsed 0']);
  seen.parsed[3]!();
  expect(world.line.sent).toEqual(['parsed 0', 'parsed 9']);
});

test('it is acknowledged although the frame before was not yet', () => {
  world.line.hears(ready(0));
  world.line.hears(output(1, 0, 'a key'), output(1, 5, 'x'.repeat(60 * 1024)), output(2, 5 + 60 * 1024, 'its end'));
  seen.parsed.slice(0, 2).forEach((parsed) => parsed());
  expect(world.line.sent).toEqual(['parsed 0', 'parsed 1']);
  seen.parsed[2]!();
  expect(world.line.sent).toEqual(['parsed 0', 'parsed 1', 'parsed 2']);
});

test('keys, and pieces without stored bytes, are acknowledged together', () => {
  world.line.hears(ready(0));
  for (let i = 1; i <= 5; i++) world.line.hears(output(i, 0, ''));
  seen.parsed.forEach((parsed) => parsed());
  expect(world.line.sent).toEqual(['parsed 0']);
  world.timePasses();
  expect(world.line.sent).toEqual(['parsed 0', 'parsed 5']);
});
