import { beforeEach, describe, expect, test } from 'vitest';
import { Refusal } from '../server/api';
import { BEGIN, Letters, settled, steps, Time } from './letters';
import { IDLE_MS, Player, type Recorded } from './player';
import { Output } from './steps';

let time: Time;
let seen: Letters;
let player: Player;

beforeEach(async () => {
  time = new Time();
  seen = new Letters();
  player = new Player(seen.recorded, seen.screen, time);
  await player.seek(0);
  await settled();
});

describe('a replay', () => {
  test('shows each frame at its time', async () => {
    player.play();
    await time.passes(90);
    expect(seen.shown).toBe('');
    await time.passes(30);
    expect(seen.shown).toBe('a');
    await time.passes(200);
    expect(seen.shown).toBe('abc');
    expect(player.seq).toBe(3);
  });

  test('is twice as fast at twice the speed', async () => {
    player.speed = 2;
    player.play();
    await time.passes(170);
    expect(seen.shown).toBe('abc');
  });

  test('shortens times without a visible change, and ends at the end', async () => {
    player.play();
    await time.passes(300 + IDLE_MS - 100);
    expect(seen.shown).toBe('abc');
    await time.passes(150);
    expect(seen.shown).toBe('abcd');
    expect(player.at).toBeGreaterThanOrEqual(BEGIN + 60_300);
    await time.passes(400);
    expect(seen.shown).toBe('abcdef');
    expect([player.playing, player.over, player.seq]).toEqual([false, true, 6]);
  });

  test('stays where it is while paused', async () => {
    player.play();
    await time.passes(120);
    player.pause();
    await time.passes(10_000);
    expect(seen.shown).toBe('a');
    player.play();
    await time.passes(100);
    expect(seen.shown).toBe('ab');
  });

  test('continues from the screen of a seek', async () => {
    player.play();
    await player.seek(4);
    await settled();
    expect(seen.shown).toBe('abcd');
    await time.passes(130);
    expect(seen.shown).toBe('abcde');
  });

  test('that was reading during a seek is not over', async () => {
    const slow: Recorded = {
      ...seen.recorded,
      async *steps(from, signal) {
        if (from === 0) yield steps[1]!;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    };
    const reading = new Player(slow, seen.screen, time);
    await reading.seek(0);
    await settled();
    reading.play();
    await reading.seek(3);
    await settled();
    expect(reading.over).toBe(false);
    await time.passes(50);
    expect(reading.playing).toBe(true);
    reading.close();
  });

  test('fetches only the last of several quick seeks', async () => {
    seen.asked = [];
    void player.seek(1);
    void player.seek(2);
    void player.seek(3);
    await player.seek(5);
    expect(seen.asked).toEqual([1, 5]);
    expect(seen.shown).toBe('abcde');
  });

  test('goes on from a moment between two frames', async () => {
    await player.seek(3, BEGIN + 300 + IDLE_MS - 100);
    await settled();
    expect(player.at).toBe(BEGIN + 300 + IDLE_MS - 100);
    player.play();
    await time.passes(150);
    expect(seen.shown).toBe('abcd');
  });

  test('reports a failed seek, and can be tried again', async () => {
    let isGone = true;
    const broken = new Player(
      { ...seen.recorded, screen: async (seq) => (isGone ? Promise.reject(new Error('gone')) : seen.recorded.screen(seq)) },
      seen.screen,
      time,
    );
    const came = await broken.seek(3);
    expect(seen.failures).toHaveLength(1);
    expect([came, broken.seq]).toEqual([false, 0]);
    isGone = false;
    expect(await broken.seek(3)).toBe(true);
    expect([broken.seq, seen.shown]).toEqual([3, 'abc']);
    broken.close();
  });

  test('reaches the place of the last seek, even if the one before failed', async () => {
    const holed = new Player(
      { ...seen.recorded, screen: async (seq) => (seq === 1 ? Promise.reject(new Error('gone')) : seen.recorded.screen(seq)) },
      seen.screen,
      time,
    );
    void holed.seek(1);
    const came = await holed.seek(2);
    expect([holed.seq, seen.shown, seen.failures]).toEqual([2, 'ab', []]);
    expect(came).toBe(true);
    holed.close();
  });
});

test.each([0.5, 1, 4])('if more was written than can be shown in time, the clock keeps its speed (%d×)', async (speed) => {
  const piece = new Uint8Array(64 * 1024);
  const flood = Array.from({ length: 2000 }, (_, seq) => ({ seq, at: BEGIN + 2 * seq, bytes: piece, size: null }));
  const unparsed: (() => void)[] = [];
  const parseAll = (): void => unparsed.splice(0).forEach((parsed) => parsed());
  const flooded = new Player(
    {
      screen: seen.recorded.screen,
      async *steps(from) {
        for (const step of flood.slice(from)) yield step;
      },
      timeOf: async (seq) => flood[seq]!.at,
      last: () => flood.length - 1,
    },
    {
      ...seen.screen,
      clear: parseAll,
      write: (bytes, parsed) => void (bytes.length < piece.length ? parsed() : unparsed.push(parsed)),
    },
    time,
  );
  await flooded.seek(0);
  flooded.speed = speed;
  flooded.play();
  for (let passed = 0; passed < 800; passed += 16) {
    await time.passes(16);
    unparsed.shift()?.(); // 4 MB/s of the 16 to 128 that were written
    expect(Math.abs(flooded.at - BEGIN - passed * speed)).toBeLessThan(350 * speed);
  }
  await flooded.seek(7);
  expect(flooded.at).toBe(BEGIN + 14); // a seek is not undone
});

test('waits at the current end of the record, without seeking', async () => {
  let more = (): void => undefined;
  const still: Recorded = {
    ...seen.recorded,
    async *steps(from) {
      for (const step of steps.slice(from, 4)) yield step;
      await new Promise<void>((resolve) => (more = resolve));
      yield { ...steps[4]!, at: BEGIN + 1_000 };
    },
    last: () => 3,
  };
  seen.asked = [];
  const live = new Player(still, seen.screen, time);
  await live.seek(0);
  live.play();
  await time.passes(5_000);
  expect([seen.shown, live.seq, live.at, seen.asked]).toEqual(['abc', 3, BEGIN + 300, [0]]);
  more();
  await settled();
  await time.passes(600);
  expect(seen.shown).toBe('abc');
  await time.passes(150);
  expect(seen.shown).toBe('abcd');
  live.close();
});

test('output is fetched in blocks, and again if it has grown', async () => {
  const all = new Uint8Array(10);
  let there = 4;
  const fetched: number[][] = [];
  const output = new Output(async (from, to) => {
    fetched.push([from, to]);
    return all.subarray(from, Math.min(to, there));
  });
  expect((await output.read(0, 2)).length).toBe(2);
  expect((await output.read(2, 2)).length).toBe(2);
  there = 9;
  expect((await output.read(4, 5)).length).toBe(5);
  expect((await output.read(9, 5)).length).toBe(0);
  expect((await output.read(20, -3)).length).toBe(0); // beyond the cap
  expect(fetched.map(([from]) => from)).toEqual([0, 4, 9]);
});

test('output before the kept bytes is skipped', async () => {
  const fetched: number[] = [];
  const output = new Output(async (from, to) => {
    fetched.push(from);
    if (from < 600_000) throw new Refusal(410, 'gone', { from: 0, to: 600_000, firstLine: 1, lastLine: 9 });
    return new Uint8Array(to - from);
  });
  expect((await output.read(0, 10)).length).toBe(0);
  expect((await output.read(10, 10)).length).toBe(0);
  expect((await output.read(600_000, 10)).length).toBe(10);
  expect(fetched).toEqual([0, 600_000]);
});

test('output on both sides of missing bytes is shown', async () => {
  const all = new Uint8Array(2_000_000).map((_, at) => at % 251);
  const gaps = [[10_000, 30_000], [500_000, 700_000]] as const;
  const output = new Output(async (from, to) => {
    const gap = gaps.find((each) => each[0] < to && each[1] > from);
    if (gap !== undefined) throw new Refusal(410, 'missing', { from: gap[0], to: gap[1], firstLine: 1, lastLine: 1 });
    return all.subarray(from, to);
  });
  const shows = async (from: number, length: number): Promise<number> => {
    const bytes = await output.read(from, length);
    expect(bytes.every((byte, i) => byte === all[from + i])).toBe(true);
    return bytes.length;
  };
  for (let at = 0; at < all.length; at += 10_000) {
    const isMissing = gaps.some(([from, to]) => at >= from && at < to);
    expect(await shows(at, 10_000), String(at)).toBe(isMissing ? 0 : 10_000);
  }
  expect(await shows(9_500, 1000)).toBe(500); // half of it was stored
});
