import { beforeEach, describe, expect, test } from 'vitest';
import type { Channel, Frame } from '../frames/frames';
import { Attachment } from './attachment';
import type { Audience, Company, Standing } from './audience';
import type { Socket, Surroundings } from './surroundings';
import type { ScreenPart } from './wire';

const utf8 = new TextEncoder();

function varint(value: number): number[] {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return [...bytes, value];
}

function entry(kind: number, content: readonly number[]): number[] {
  return [kind, ...varint(content.length), ...content];
}

const news = (object: object): number[] => entry(3, [...utf8.encode(JSON.stringify(object))]);
const output = (nextSeq: number, offset: number, text: string): number[] =>
  entry(1, [...varint(nextSeq), 2, ...varint(offset), ...utf8.encode(text)]);
const screen = (nextSeq: number, left: number, text: string): number[] =>
  entry(4, [...varint(nextSeq), 24, 80, ...varint(left), ...utf8.encode(text)]);
const ready = (from: number): number[] =>
  news({ type: 'attach_ready', task_id: 't', viewer: 'v1', rights: 'control', from_seq: from, next_seq: from });

/** One of the wire's, and where what follows it begins. */
function number(bytes: Uint8Array, from: number): [number, number] {
  let [value, at] = [0, from];
  for (let scale = 1; ; scale *= 128) {
    const next = bytes[at++]!;
    value += (next & 127) * scale;
    if (next < 128) return [value, at];
  }
}

/** A socket whose other end the test is. */
class Line implements Socket {
  binaryType = '';
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: string[] = [];
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  send(bytes: Uint8Array): void {
    const kind = bytes[0];
    const [, begin] = number(bytes, 1);
    const content = [...bytes.subarray(begin)];
    const [op, typed] = number(bytes, begin);
    this.sent.push(
      kind === 2
        ? new TextDecoder().decode(Uint8Array.from(content))
        : kind === 3
          ? `parsed ${op}`
          : `input ${op} ${new TextDecoder().decode(bytes.subarray(typed))}`,
    );
  }

  close(): void {
    this.onclose?.({ code: 1005 });
  }

  hears(...entries: number[][]): void {
    this.onmessage?.({ data: Uint8Array.from(entries.flat()).buffer });
  }
}

class World implements Surroundings {
  readonly lines: Line[] = [];
  waiting: { act: () => void; ms: number } | undefined;

  open(url: string): Line {
    const line = new Line(url);
    this.lines.push(line);
    return line;
  }

  later(act: () => void, ms: number): () => void {
    const waiting = { act, ms };
    this.waiting = waiting;
    return () => {
      if (this.waiting === waiting) this.waiting = undefined;
    };
  }

  chance(): number {
    return 0.5;
  }

  get line(): Line {
    return this.lines.at(-1)!;
  }

  timePasses(): void {
    const { act } = this.waiting!;
    this.waiting = undefined;
    act();
  }
}

class Watching implements Audience {
  shown = '';
  parsed: (() => void)[] = [];
  frames: number[] = [];
  standings: string[] = [];
  said: string[] = [];
  joins: number[] = [];

  screen({ rows, cols, bytes }: ScreenPart, begins: boolean): void {
    this.shown = `${begins ? `${cols}×${rows} ` : this.shown}${new TextDecoder().decode(bytes)}`;
  }

  output(_channel: Channel, bytes: Uint8Array, parsed: () => void): void {
    this.shown += new TextDecoder().decode(bytes);
    this.parsed.push(parsed);
  }

  frame({ frame }: Frame): void {
    this.frames.push(frame.seq);
  }

  joinedAt(_channel: Channel, offset: number): void {
    this.joins.push(offset);
  }

  standing(standing: Standing): void {
    this.standings.push(standing.is);
  }

  company({ viewers, policy, leader, self }: Company): void {
    this.said.push(`${viewers.length} viewers, ${policy}, led by ${leader ?? 'nobody'}, ${self}`);
  }

  refused(message: string): void {
    this.said.push(message);
  }
}

let world: World;
let seen: Watching;
let attachment: Attachment;

beforeEach(() => {
  world = new World();
  seen = new Watching();
  attachment = new Attachment('a task', { from_seq: 0 }, 'me', seen, world);
});

describe('a connection that breaks', () => {
  test('is made again from where it broke, so that each byte is shown once', () => {
    expect(world.line.url).toBe('/tasks/a%20task/attach?client=me&from_seq=0');
    world.line.hears(ready(0), output(2, 0, 'one '), output(2, 4, 'tw'));
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toBe('/tasks/a%20task/attach?client=me&from_seq=2');
    // The piece that was cut comes again as a whole.
    world.line.hears(ready(2), output(3, 4, 'two three'));
    expect(seen.shown).toBe('one two three');
    world.line.onclose?.({ code: 1001 });
    world.timePasses();
    expect(world.line.url).toContain('from_seq=3');
  });

  test('is waited for longer each time, up to ten seconds, until it stands', () => {
    const waits: number[] = [];
    for (let i = 0; i < 8; i++) {
      world.line.onclose?.({ code: 1006 });
      waits.push(world.waiting!.ms);
      world.timePasses();
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    world.line.hears(ready(0));
    world.line.onclose?.({ code: 1006 });
    expect(world.waiting!.ms).toBe(250);
    attachment.reconnectNow();
    expect(world.waiting).toBeUndefined();
    expect(world.lines).toHaveLength(10);
  });

  test('is not made again after the end, or when nobody wants it any more', () => {
    world.line.hears(ready(0));
    world.line.onclose?.({ code: 1000 });
    expect(seen.standings.at(-1)).toBe('ended');
    expect(world.waiting).toBeUndefined();
    attachment.input(utf8.encode('x'));
    expect(world.line.sent).toEqual(['parsed 0']);

    const other = new Attachment('t', { tail_bytes: 9 }, 'me', seen, world);
    expect(world.line.url).toContain('tail_bytes=9');
    other.close();
    expect(world.waiting).toBeUndefined();
  });

  test('of which something still comes is not listened to', () => {
    const old = world.line;
    old.hears(ready(0));
    old.onclose?.({ code: 1006 });
    world.timePasses();
    old.hears(output(1, 0, 'late'));
    expect(seen.shown).toBe('');
  });
});

describe('what is done', () => {
  test('is sent when the connection stands, and again until it is answered, under the same number', () => {
    attachment.input(utf8.encode('a'));
    expect(world.line.sent).toEqual([]);
    world.line.hears(ready(0));
    attachment.input(utf8.encode('b'));
    expect(world.line.sent).toEqual(['parsed 0', 'input 1 a', 'input 2 b']);
    world.line.hears(news({ type: 'attach_done', op: 1, seq: 4 }));
    world.line.onclose?.({ code: 1006 });
    attachment.input(utf8.encode('c'));
    world.timePasses();
    world.line.hears(ready(0));
    expect(world.line.sent.slice(1)).toEqual(['input 2 b', 'input 3 c']);
  });

  test('and refused is told, and not sent again', () => {
    world.line.hears(ready(0));
    attachment.signal('INT');
    world.line.hears(news({ type: 'attach_refused', op: 1, error: { code: 'X', message: 'No.', retryable: false } }));
    expect(seen.said).toEqual(['No.']);
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    world.line.hears(ready(0));
    expect(world.line.sent).toEqual(['parsed 0']);
  });

  test('is never more than the server knows again after a break', () => {
    world.line.hears(ready(0));
    for (let i = 0; i < 300; i++) attachment.input(utf8.encode('x'));
    expect(world.line.sent).toHaveLength(1 + 128);
    for (let op = 1; op <= 100; op++) world.line.hears(news({ type: 'attach_done', op, seq: op }));
    expect(world.line.sent.at(-1)).toBe('input 228 x');
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    world.line.hears(ready(0));
    expect([world.line.sent[1], world.line.sent.at(-1)]).toEqual(['input 101 x', 'input 228 x']);
  });

  describe('with a long input', () => {
    const done = (op: number): number[] => news({ type: 'attach_done', op, seq: op });
    const refused = (op: number, retryable: boolean): number[] =>
      news({ type: 'attach_refused', op, error: { code: 'X', message: 'No.', retryable } });
    const typed = (): string[] => world.line.sent.slice(1).map((each) => `${each.slice(0, 7)}…${each.length}`);

    beforeEach(() => {
      world.line.hears(ready(0));
      attachment.input(utf8.encode('a'.repeat(8192) + 'b'.repeat(8192) + 'c'));
      attachment.input(utf8.encode('d'));
    });

    test('goes in pieces that the server takes, each when the one before is done', () => {
      expect(typed()).toEqual(['input 1…8200']);
      world.line.hears(done(1));
      expect(typed().slice(1)).toEqual(['input 2…8200']);
      world.line.hears(done(2));
      expect(typed().slice(2)).toEqual(['input 3…9', 'input 4…9']);
    });

    test('tries a piece again that others were in the way of, and nothing comes before it', () => {
      world.line.hears(refused(1, true));
      expect(typed()).toHaveLength(1);
      world.timePasses();
      expect(typed()).toEqual(['input 1…8200', 'input 1…8200']);
      expect(seen.said).toEqual([]);
      world.line.hears(done(1), refused(2, true));
      world.line.onclose?.({ code: 1006 });
      world.timePasses();
      world.line.hears(ready(0));
      expect(typed()).toEqual(['input 2…8200']);
    });

    test('gives up what follows a piece that is not taken', () => {
      world.line.hears(done(1), refused(2, false));
      expect(typed()).toEqual(['input 1…8200', 'input 2…8200']);
      expect(seen.said).toEqual(['No.']);
      attachment.input(utf8.encode('e'));
      expect(world.line.sent.at(-1)).toBe('input 5 e');
    });
  });

  test('by nobody who only watches, until he does not only watch any more', () => {
    world.line.hears(ready(0), output(3, 0, 'seen'));
    attachment.allow('view');
    expect(world.line.url).toBe('/tasks/a%20task/attach?client=me&rights=view&from_seq=3');
    world.line.hears(ready(3));
    attachment.input(utf8.encode('x'));
    attachment.chooseSize('smallest');
    expect(world.line.sent).toEqual(['parsed 3']);
    attachment.allow('control');
    expect(world.line.url).toBe('/tasks/a%20task/attach?client=me&from_seq=3');
    world.line.hears(ready(3));
    attachment.chooseSize('smallest');
    expect(world.line.sent.slice(1)).toEqual(['{"type":"size_policy","op":1,"policy":"smallest"}']);
  });

  test('while away leaves only the newest size', () => {
    attachment.close();
    attachment = new Attachment('t', { from_seq: 0 }, 'me', seen, world);
    world.line.hears(ready(0));
    world.line.onclose?.({ code: 1006 });
    attachment.resize(1, 1);
    attachment.resize(2, 2);
    world.timePasses();
    world.line.hears(ready(0));
    expect(world.line.sent.slice(1)).toEqual(['{"type":"resize","op":2,"rows":2,"cols":2}']);
  });
});

describe('a connection that is dead, though nobody has said so', () => {
  const checks = (count: number, nextSeq: number): void => {
    for (let i = 0; i < count; i++) attachment.check(nextSeq);
  };

  test('is left when the server has more and nothing comes, and less and less eagerly', () => {
    const old = world.line;
    old.hears(ready(0), output(4, 0, 'x'));
    seen.parsed.forEach((parsed) => parsed());
    checks(20, 4); // nothing is awaited
    checks(5, 9);
    expect(world.lines).toHaveLength(1);
    old.hears(output(5, 1, 'y')); // it lives
    seen.parsed.at(-1)?.();
    checks(5, 9);
    expect(world.lines).toHaveLength(1);
    checks(1, 9);
    expect(world.lines).toHaveLength(2);
    expect(world.line.url).toContain('from_seq=5');
    old.hears(output(6, 2, 'late'));
    expect(seen.shown).toBe('xy');
    checks(10, 9); // the new one does not answer either
    expect(world.lines).toHaveLength(2);
    checks(1, 9);
    expect(world.lines).toHaveLength(3);
  });

  test('is left when what was typed is not answered, and what was typed is sent again', () => {
    world.line.hears(ready(0));
    attachment.input(utf8.encode('a'));
    checks(6, 0);
    expect(world.lines).toHaveLength(2);
    world.line.hears(ready(0));
    expect(world.line.sent).toEqual(['parsed 0', 'input 1 a']);
  });

  test('is not looked for while there is enough to draw, or nobody looks', () => {
    world.line.hears(ready(0), output(4, 0, 'x'));
    checks(9, 9);
    seen.parsed.forEach((parsed) => parsed());
    attachment.seen(false);
    checks(9, 9);
    expect(world.lines).toHaveLength(1);
  });
});

test('who is here, and whose size counts, is told', () => {
  const viewer = { viewer: 'v2', rights: 'view', rows: 24, cols: 80 };
  world.line.hears(ready(0));
  world.line.hears(news({ type: 'attach_viewers', viewers: [viewer], size_policy: 'leader', leader: 'v2' }));
  expect(seen.said).toEqual(['1 viewers, leader, led by v2, v1']);
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

test('what cannot be read breaks the connection and is begun again behind the last whole frame', () => {
  world.line.hears(ready(0), output(5, 0, 'ok'));
  world.line.hears([1, 99]);
  expect(seen.said[0]).toContain('cannot be read');
  expect(seen.standings.at(-1)).toBe('waiting');
  world.timePasses();
  expect(world.line.url).toContain('from_seq=5');
});

test('who has fallen behind is live again when all of that is shown', () => {
  world.line.hears(ready(0), news({ type: 'attach_caught_up', next_seq: 0 }));
  world.line.hears(news({ type: 'attach_fell_behind', from: 0, to: 9, follows: 'frames' }), output(8, 0, 'x'));
  expect(seen.standings.at(-1)).toBe('history');
  world.line.hears(output(9, 1, 'y'));
  expect(seen.standings.at(-1)).toBe('live');
});

test('a stream that is joined later says where its output begins', () => {
  world.line.hears(ready(7), output(8, 4096, 'tail'));
  expect(seen.joins).toEqual([4096]);
  expect(seen.shown).toBe('tail');
});

describe('a screen', () => {
  beforeEach(() => {
    attachment = new Attachment('t', { screen: 1000 }, 'me', seen, world);
    world.line.hears(ready(7));
  });

  test('is shown, then all that is written from there on; coming back goes on there', () => {
    expect(world.line.url).toBe('/tasks/t/attach?client=me&behind=screen&screen=1000');
    world.line.hears(screen(7, 3, 'a '), screen(7, 0, 'scr'), output(8, 4096, ' live'));
    expect(seen.shown).toBe('80×24 a scr live');
    expect(seen.joins).toEqual([]);
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toContain('from_seq=8');
    world.line.hears(ready(8), output(9, 4100, 'e again'));
    expect(seen.shown).toBe('80×24 a scr live again');
  });

  test('of which only a part came is begun anew', () => {
    world.line.hears(screen(7, 3, 'a '));
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toContain('screen=1000');
    world.line.hears(ready(9), screen(9, 0, 'whole'));
    expect(seen.shown).toBe('80×24 whole');
  });

  test('that comes later replaces what was shown, and the output that was in between', () => {
    world.line.hears(screen(7, 0, 'first'), output(8, 10, ' more'), screen(90, 0, 'later'), output(91, 5000, ' live'));
    expect(seen.shown).toBe('80×24 later live');
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toContain('from_seq=91');
  });

  test('stands for output that was left out: until it has come, there is no place to go on from but another', () => {
    const frame = (seq: number): number[] =>
      entry(2, [
        ...utf8.encode(
          JSON.stringify({
            id: `t/${seq}`,
            stream_kind: 'task',
            stream_id: 't',
            session_id: 't',
            timestamp_ms: 1,
            seq,
            type: 'of_a_newer_server',
          }),
        ),
      ]);
    world.line.hears(screen(7, 0, 'first'), frame(7));
    attachment.seen(false);
    attachment.seen(false);
    expect(world.line.sent.at(-1)).toBe('{"type":"hidden"}');
    world.line.hears(frame(20)); // what was written in between was not sent
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toContain('screen=1000');
    world.line.hears(ready(30), screen(30, 0, 'then'), frame(30));
    expect(world.line.sent.at(-1)).toBe('{"type":"hidden"}');
    attachment.seen(true);
    world.line.hears(news({ type: 'attach_fell_behind', from: 31, to: 40, follows: 'screen' }), frame(35));
    expect(seen.standings.at(-1)).toBe('history');
    world.line.hears(screen(40, 0, 'now'));
    expect([seen.shown, seen.standings.at(-1)]).toEqual(['80×24 now', 'live']);
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toContain('from_seq=40');
  });
});
