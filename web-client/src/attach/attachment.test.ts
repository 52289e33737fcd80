import { beforeEach, describe, expect, test } from 'vitest';
import { Attachment } from './attachment';
import { entry, news, output, ready, screen, utf8, Watching, World } from './other-end';

let world: World;
let seen: Watching;
let attachment: Attachment;

beforeEach(() => {
  world = new World();
  seen = new Watching();
  attachment = new Attachment('a task', { from_seq: 0 }, 'me', seen, world);
});

describe('a broken connection', () => {
  test('is resumed from where it broke, so that each byte is shown once', () => {
    expect(world.line.url).toBe('/tasks/a%20task/attach?client=me&from_seq=0');
    world.line.hears(ready(0), output(2, 0, 'one '), output(2, 4, 'tw'));
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toBe('/tasks/a%20task/attach?client=me&from_seq=2');
    // The piece that was cut arrives again as a whole.
    world.line.hears(ready(2), output(3, 4, 'two three'));
    expect(seen.shown).toBe('one two three');
    world.line.onclose?.({ code: 1001 });
    world.timePasses();
    expect(world.line.url).toContain('from_seq=3');
    world.line.onclose?.({ code: 1013 });
    world.timePasses();
    expect(world.lines).toHaveLength(4);
    expect(world.line.url).toContain('from_seq=3');
  });

  test('is replaced when the server does not answer other requests either', () => {
    world.line.hears(ready(0));
    for (let second = 1; second <= 5; second++) attachment.unanswered(0);
    expect(world.lines).toHaveLength(1);
    world.line.hears(news({ type: 'attach_done', op: 1, seq: 4 })); // the connection is alive
    for (let second = 1; second <= 5; second++) attachment.unanswered(0);
    expect(world.lines).toHaveLength(1);
    attachment.unanswered(0);
    expect(world.lines).toHaveLength(2);
    attachment.unanswered(10); // asked again now and then, in case the connection was not the reason
    expect(world.lines).toHaveLength(2);
  });

  test('is retried after longer and longer delays, up to ten seconds', () => {
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

  test('is not replaced after the end, or after close', () => {
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

  test('is ignored, even if it still sends something', () => {
    const old = world.line;
    old.hears(ready(0));
    old.onclose?.({ code: 1006 });
    world.timePasses();
    old.hears(output(1, 0, 'late'));
    expect(seen.shown).toBe('');
  });
});

describe('a connection that is dead without being closed', () => {
  const checks = (count: number, nextSeq: number): void => {
    for (let i = 0; i < count; i++) attachment.check(nextSeq);
  };

  test('is replaced when the server has more and nothing arrives, less and less often', () => {
    const old = world.line;
    old.hears(ready(0), output(4, 0, 'x'));
    seen.parsed.forEach((parsed) => parsed());
    checks(20, 4); // no message is expected
    checks(5, 9);
    expect(world.lines).toHaveLength(1);
    old.hears(output(5, 1, 'y')); // the connection is alive
    seen.parsed.at(-1)?.();
    checks(5, 9);
    expect(world.lines).toHaveLength(1);
    checks(1, 9);
    expect(world.lines).toHaveLength(2);
    expect(world.line.url).toContain('from_seq=5');
    old.hears(output(6, 2, 'late'));
    expect(seen.shown).toBe('xy');
    checks(10, 9); // the new connection does not answer either
    expect(world.lines).toHaveLength(2);
    checks(1, 9);
    expect(world.lines).toHaveLength(3);
  });

  test('is replaced when input gets no reply, and the input is sent again', () => {
    world.line.hears(ready(0));
    attachment.input(utf8.encode('a'));
    checks(6, 0);
    expect(world.lines).toHaveLength(2);
    world.line.hears(ready(0));
    expect(world.line.sent).toEqual(['parsed 0', 'input 1 a']);
  });

  test('is not checked while output waits to be drawn, or the page is hidden', () => {
    world.line.hears(ready(0), output(4, 0, 'x'));
    checks(9, 9);
    seen.parsed.forEach((parsed) => parsed());
    attachment.seen(false);
    checks(9, 9);
    expect(world.lines).toHaveLength(1);
  });
});

test('viewers and size policy are reported', () => {
  const viewer = { viewer: 'v2', rights: 'view', rows: 24, cols: 80 };
  world.line.hears(ready(0));
  world.line.hears(news({ type: 'attach_viewers', viewers: [viewer], size_policy: 'leader', leader: 'v2' }));
  expect(seen.said).toEqual(['1 viewers, leader, led by v2, v1']);
});

test('a malformed message breaks the connection, which resumes after the last whole frame', () => {
  world.line.hears(ready(0), output(5, 0, 'ok'));
  world.line.hears([1, 99]);
  expect(seen.said[0]).toContain('cannot be read');
  expect(seen.standings.at(-1)).toBe('waiting');
  world.timePasses();
  expect(world.line.url).toContain('from_seq=5');
});

test('a lagging viewer is live again when it has shown the output up to there', () => {
  world.line.hears(ready(0), news({ type: 'attach_caught_up', next_seq: 0 }));
  world.line.hears(news({ type: 'attach_fell_behind', from: 0, to: 9, follows: 'frames' }), output(8, 0, 'x'));
  expect(seen.standings.at(-1)).toBe('history');
  world.line.hears(output(9, 1, 'y'));
  expect(seen.standings.at(-1)).toBe('live');
});

test('a stream that is joined later reports where its output begins', () => {
  world.line.hears(ready(7), output(8, 4096, 'tail'));
  expect(seen.joins).toEqual([4096]);
  expect(seen.shown).toBe('tail');
});

test('a read-only viewer reconnects as a read-only viewer', () => {
  new Attachment('t', { screen: 9 }, 'me', seen, world, 'view').input(utf8.encode('x'));
  expect(world.line.url).toBe('/tasks/t/attach?client=me&rights=view&behind=screen&screen=9');
  world.line.hears(ready(0));
  expect(world.line.sent).toEqual(['parsed 0']);
});

describe('a viewer that is far behind and skips', () => {
  test('knows its distance from the bytes written, and continues with the newest output', () => {
    seen.leaps = true;
    world.line.hears(ready(0), news({ type: 'attach_caught_up', next_seq: 0 }), output(1, 0, 'old'));
    world.line.hears(news({ type: 'attach_fell_behind', from: 1, to: 900, follows: 'frames' }));
    expect(attachment.behind(new Map([['pty', 5000]]))).toBe(4997);
    expect(attachment.behind(new Map([['stdout', 9]]))).toBe(0); // nothing of it has arrived, so its length is unknown
    const before = seen.standings.length;
    attachment.leap(100);
    expect(world.line.url).toBe('/tasks/a%20task/attach?client=me&tail_bytes=100');
    world.line.hears(ready(899), output(900, 4900, 'new'), news({ type: 'attach_caught_up', next_seq: 900 }));
    expect(seen.shown).toBe('oldnew');
    expect(seen.joins).toEqual([0, 4900]);
    expect(seen.standings.slice(before)).toEqual(['live']); // the connection worked all the time
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toContain('from_seq=900');
  });

  test('leaves the old connection when the new one is ready, and not before', () => {
    const old = world.line;
    old.hears(ready(0), output(1, 0, 'old'));
    attachment.leap(100);
    expect(world.lines).toHaveLength(2);
    expect(old.isClosed).toBe(false);
    old.hears(output(2, 3, 'late'));
    world.line.hears(ready(899));
    expect(old.isClosed).toBe(true);
    expect(seen.shown).toBe('old');
    expect(seen.standings).not.toContain('waiting');
  });

  test('leaves also when it cannot reconnect, or when the task has ended', () => {
    const [first] = world.lines;
    attachment.leap(100);
    world.line.onclose?.({ code: 1006 });
    expect(first!.isClosed).toBe(true);
    world.timePasses();
    const second = world.line;
    attachment.leap(100);
    attachment.close();
    expect([second.isClosed, world.line.isClosed]).toEqual([true, true]);
  });

  test('is informed when the connection breaks meanwhile', () => {
    world.line.hears(ready(0), output(1, 0, 'old'));
    attachment.leap(100);
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(seen.standings.slice(-2)).toEqual(['waiting', 'connecting']);
    expect(world.line.url).toContain('tail_bytes=100');
  });
});

describe('a screen', () => {
  beforeEach(() => {
    attachment = new Attachment('t', { screen: 1000 }, 'me', seen, world);
    world.line.hears(ready(7));
  });

  test('is shown, then all later output; a reconnect continues there', () => {
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

  test('is acknowledged as soon as all of it is parsed, since the server waits for that', () => {
    world.line.hears(screen(9, 3, 'a '), screen(9, 0, 'scr'));
    seen.parsed[0]!();
    expect(world.line.sent).toEqual(['parsed 7']);
    seen.parsed[1]!();
    expect(world.line.sent).toEqual(['parsed 7', 'parsed 9']);
  });

  test('of which only a part arrived starts again', () => {
    world.line.hears(screen(7, 3, 'a '));
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toContain('screen=1000');
    world.line.hears(ready(9), screen(9, 0, 'whole'));
    expect(seen.shown).toBe('80×24 whole');
  });

  test('that arrives later replaces the shown output, and the output in between', () => {
    world.line.hears(screen(7, 0, 'first'), output(8, 10, ' more'), screen(90, 0, 'later'), output(91, 5000, ' live'));
    expect(seen.shown).toBe('80×24 later live');
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toContain('from_seq=91');
  });

  test('replaces skipped output: until it has arrived, a reconnect needs another screen', () => {
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
    world.line.hears(frame(20)); // output in between was not sent
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toContain('screen=1000');
    world.line.hears(ready(30), screen(30, 0, 'then'), frame(30));
    expect(world.line.sent.at(-1)).toBe('{"type":"hidden"}');
    attachment.seen(true);
    world.line.hears(news({ type: 'attach_caught_up', next_seq: 31 }));
    world.line.hears(news({ type: 'attach_fell_behind', from: 31, to: 40, follows: 'screen' }), frame(35));
    expect(seen.standings.at(-1)).toBe('live'); // it skips again a moment later
    world.line.hears(screen(40, 0, 'now'));
    expect([seen.shown, seen.standings.at(-1)]).toEqual(['80×24 now', 'live']);
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    expect(world.line.url).toContain('from_seq=40');
  });
});
