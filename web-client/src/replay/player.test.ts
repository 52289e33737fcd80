import { beforeEach, describe, expect, test } from 'vitest';
import { IDLE_MS, Player, type Clock, type Recorded, type Shown } from './player';
import { Output, type Step } from './steps';

const utf8 = new TextEncoder();
const BEGIN = 1_000_000;

/** Letters, each a frame: a, b and c a tenth of a second apart, d after a minute, then e and f. */
const TIMES = [0, 100, 200, 300, 60_300, 60_400, 60_500];
const steps: Step[] = TIMES.map((at, seq) => ({
  seq,
  at: BEGIN + at,
  bytes: seq === 0 ? null : utf8.encode('·abcdef'[seq]!),
  size: null,
}));

class Time implements Clock {
  #now = 0;
  #waiting: { act: () => void; at: number } | undefined;

  now(): number {
    return this.#now;
  }

  later(act: () => void, ms: number): () => void {
    this.#waiting = { act, at: this.#now + ms };
    return () => (this.#waiting = undefined);
  }

  /** Lets so much time pass, and whatever was read meanwhile arrive. */
  async passes(ms: number): Promise<void> {
    const until = this.#now + ms;
    while (this.#waiting !== undefined && this.#waiting.at <= until) {
      const { act, at } = this.#waiting;
      this.#waiting = undefined;
      this.#now = at;
      act();
      await settled();
    }
    this.#now = until;
  }
}

const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let time: Time;
let shown: string;
let asked: number[];
let player: Player;
let failures: unknown[];

const recorded: Recorded = {
  screen: async (seq) => {
    asked.push(seq);
    return { rows: 24, cols: 80, ansi: utf8.encode('·abcdef'.slice(1, seq + 1)) };
  },
  async *steps(from) {
    for (const step of steps.slice(from)) yield step;
  },
  timeOf: async (seq) => steps[seq]!.at,
  last: () => steps.length - 1,
};

const screen: Shown = {
  clear: () => (shown = ''),
  resize: () => undefined,
  write: (bytes, parsed) => {
    shown += new TextDecoder().decode(bytes);
    parsed();
  },
  changed: () => undefined,
  failed: (reason) => failures.push(reason),
};

beforeEach(async () => {
  time = new Time();
  shown = '';
  asked = [];
  failures = [];
  player = new Player(recorded, screen, time);
  await player.seek(0);
  await settled();
});

describe('a replay', () => {
  test('shows each frame at its time', async () => {
    player.play();
    await time.passes(90);
    expect(shown).toBe('');
    await time.passes(30);
    expect(shown).toBe('a');
    await time.passes(200);
    expect(shown).toBe('abc');
    expect(player.seq).toBe(3);
  });

  test('is twice as fast at twice the speed', async () => {
    player.speed = 2;
    player.play();
    await time.passes(170);
    expect(shown).toBe('abc');
  });

  test('cuts what lasts long without anything to see, and ends at the end', async () => {
    player.play();
    await time.passes(300 + IDLE_MS - 100);
    expect(shown).toBe('abc');
    await time.passes(150);
    expect(shown).toBe('abcd');
    expect(player.at).toBeGreaterThanOrEqual(BEGIN + 60_300);
    await time.passes(400);
    expect(shown).toBe('abcdef');
    expect([player.playing, player.over, player.seq]).toEqual([false, true, 6]);
  });

  test('that pauses stays where it is', async () => {
    player.play();
    await time.passes(120);
    player.pause();
    await time.passes(10_000);
    expect(shown).toBe('a');
    player.play();
    await time.passes(100);
    expect(shown).toBe('ab');
  });

  test('goes on from the screen that was sought', async () => {
    player.play();
    await player.seek(4);
    await settled();
    expect(shown).toBe('abcd');
    await time.passes(130);
    expect(shown).toBe('abcde');
  });

  test('that was reading when somebody went elsewhere is not over for that', async () => {
    const slow: Recorded = {
      ...recorded,
      async *steps(from, signal) {
        if (from === 0) yield steps[1]!;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    };
    const reading = new Player(slow, screen, time);
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

  test('of many places asked for quickly fetches the last', async () => {
    asked = [];
    void player.seek(1);
    void player.seek(2);
    void player.seek(3);
    await player.seek(5);
    expect(asked).toEqual([1, 5]);
    expect(shown).toBe('abcde');
  });

  test.each([
    [0, 200, 2],
    [0, 5_000, 3],
    [3, 5_000, 4], // nothing happened for a minute: still one frame
    [6, 5_000, 6],
    [6, -100, 5],
    [4, -5_000, 3],
    [2, -5_000, 0],
  ])('from frame %d, %d ms on is frame %d', async (from, ms, seq) => {
    await player.seek(from);
    await player.skip(ms);
    expect(player.seq).toBe(seq);
  });

  test('tells what could not be read, and can be tried again', async () => {
    const broken = new Player({ ...recorded, screen: async () => Promise.reject(new Error('gone')) }, screen, time);
    await broken.seek(3);
    expect(failures).toHaveLength(1);
    expect(broken.seq).toBe(0);
  });
});

test.each([0.5, 1, 4])('where more was written than can be shown in time, the clock holds its speed (%d×)', async (speed) => {
  const piece = new Uint8Array(64 * 1024);
  const flood = Array.from({ length: 2000 }, (_, seq) => ({ seq, at: BEGIN + 2 * seq, bytes: piece, size: null }));
  const unparsed: (() => void)[] = [];
  const parseAll = (): void => unparsed.splice(0).forEach((parsed) => parsed());
  const flooded = new Player(
    {
      screen: recorded.screen,
      async *steps(from) {
        for (const step of flood.slice(from)) yield step;
      },
      timeOf: async (seq) => flood[seq]!.at,
      last: () => flood.length - 1,
    },
    {
      ...screen,
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
  expect(flooded.at).toBe(BEGIN + 14); // whoever goes elsewhere stays there
});

test('at the end of what has happened by now it waits, and leaps nowhere', async () => {
  let more = (): void => undefined;
  const still: Recorded = {
    ...recorded,
    async *steps(from) {
      for (const step of steps.slice(from, 4)) yield step;
      await new Promise<void>((resolve) => (more = resolve));
      yield { ...steps[4]!, at: BEGIN + 1_000 };
    },
    last: () => 3,
  };
  asked = [];
  const live = new Player(still, screen, time);
  await live.seek(0);
  live.play();
  await time.passes(5_000);
  expect([shown, live.seq, live.at, asked]).toEqual(['abc', 3, BEGIN + 300, [0]]);
  more();
  await settled();
  await time.passes(600);
  expect(shown).toBe('abc');
  await time.passes(150);
  expect(shown).toBe('abcd');
  live.close();
});

test('output is fetched in blocks, and again where there is more now', async () => {
  const all = utf8.encode('x'.repeat(10));
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
