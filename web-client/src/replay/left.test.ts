import { beforeEach, describe, expect, test } from 'vitest';
import { Letters, settled, steps, Time } from './letters';
import { Player, type Recorded } from './player';

let time: Time;
let seen: Letters;

beforeEach(() => {
  time = new Time();
  seen = new Letters();
});

describe('a closed replay', () => {
  /** Holds all responses back until `goOn`; counts the streams that are still open. */
  function held(): { player: Player; goOn(): Promise<void>; open(): number } {
    let goOn = (): void => undefined;
    let open = 0;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const slow: Recorded = {
      ...seen.recorded,
      screen: async (seq) => held.then(() => seen.recorded.screen(seq)),
      async *steps(from, signal) {
        open++;
        signal.addEventListener('abort', () => open--);
        yield* steps.slice(from);
        await new Promise(() => undefined);
      },
    };
    return {
      player: new Player(slow, seen.screen, time),
      goOn: async () => {
        goOn();
        await settled();
      },
      open: () => open,
    };
  }

  test('neither reads nor plays if closed before its first screen', async () => {
    const { player: left, goOn, open } = held();
    const came = left.seek(0);
    left.close();
    await goOn();
    left.play();
    await time.passes(100);
    expect([open(), left.playing, seen.shown, time.waits]).toEqual([0, false, '', false]);
    expect(await came).toBe(false);
  });

  test('does not seek', async () => {
    const { player: left, goOn, open } = held();
    left.close();
    seen.asked = [];
    const came = left.seek(2);
    await goOn();
    expect([seen.asked, open()]).toEqual([[], 0]);
    expect(await came).toBe(false);
  });

  test('reads nothing if closed while a screen was drawn', async () => {
    let drawn = (): void => undefined;
    let read = 0;
    const left = new Player(
      {
        ...seen.recorded,
        async *steps() {
          read++;
          yield* steps;
        },
      },
      { ...seen.screen, write: (_bytes, parsed) => (drawn = parsed) },
      time,
    );
    const came = left.seek(2);
    await settled();
    left.close();
    drawn();
    await settled();
    expect(read).toBe(0);
    expect(await came).toBe(false);
  });

  test('reports no failed seek', async () => {
    let fail = (_reason: Error): void => undefined;
    const left = new Player(
      { ...seen.recorded, screen: () => new Promise((_, reject) => (fail = reject)) },
      seen.screen,
      time,
    );
    const came = left.seek(2);
    left.close();
    fail(new Error('gone'));
    await settled();
    expect(seen.failures).toEqual([]);
    expect(await came).toBe(false);
  });
});
