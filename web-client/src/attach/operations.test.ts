import { beforeEach, describe, expect, test } from 'vitest';
import { Attachment } from './attachment';
import { news, output, ready, utf8, Watching, World } from './other-end';

let world: World;
let seen: Watching;
let attachment: Attachment;

beforeEach(() => {
  world = new World();
  seen = new Watching();
  attachment = new Attachment('a task', { from_seq: 0 }, 'me', seen, world);
});

describe('an operation', () => {
  test('is sent when connected, and again under the same number until it is answered', () => {
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

  test('that is refused is reported, and not sent again', () => {
    world.line.hears(ready(0));
    attachment.chooseSize('smallest');
    world.line.hears(news({ type: 'attach_refused', op: 1, error: { code: 'X', message: 'No.', retryable: false } }));
    expect(seen.said).toEqual(['No.']);
    world.line.onclose?.({ code: 1006 });
    world.timePasses();
    world.line.hears(ready(0));
    expect(world.line.sent).toEqual(['parsed 0']);
  });

  test('waits while the server could not recognise more of them after a break', () => {
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

  test('that types can be discarded only if it was never sent', () => {
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    const typed = (): string[] => [text(attachment.typed.sent), text(attachment.typed.unsent)];
    world.line.hears(ready(0));
    attachment.input(utf8.encode('a'));
    attachment.input(utf8.encode('b'));
    world.line.hears(news({ type: 'attach_done', op: 1, seq: 4 }));
    expect(typed()).toEqual(['b', '']);
    world.line.onclose?.({ code: 1006 });
    attachment.input(utf8.encode('rm x'));
    attachment.resize(30, 90);
    expect(typed()).toEqual(['b', 'rm x']);
    attachment.discardTyped();
    expect(typed()).toEqual(['b', '']);
    attachment.input(utf8.encode('c'));
    world.timePasses();
    world.line.hears(ready(0));
    expect(world.line.sent.filter((each) => each.startsWith('input'))).toEqual(['input 2 b', 'input 5 c']);
  });

  describe('a long input', () => {
    const done = (op: number): number[] => news({ type: 'attach_done', op, seq: op });
    const refused = (op: number, retryable: boolean): number[] =>
      news({ type: 'attach_refused', op, error: { code: 'X', message: 'No.', retryable } });
    const typed = (): string[] => world.line.sent.slice(1).map((each) => `${each.slice(0, 7)}…${each.length}`);

    beforeEach(() => {
      world.line.hears(ready(0));
      attachment.input(utf8.encode('a'.repeat(8192) + 'b'.repeat(8192) + 'c'));
      attachment.input(utf8.encode('d'));
    });

    test('is sent in parts that the server accepts, each after the one before is done', () => {
      expect(typed()).toEqual(['input 1…8200']);
      world.line.hears(done(1));
      expect(typed().slice(1)).toEqual(['input 2…8200']);
      world.line.hears(done(2));
      expect(typed().slice(2)).toEqual(['input 3…9']);
      world.line.hears(done(3));
      expect(typed().slice(3)).toEqual(['input 4…9']);
    });

    test('retries its short last part too, and nothing is sent before it', () => {
      world.line.hears(done(1), done(2), refused(3, true));
      expect(typed().slice(2)).toEqual(['input 3…9']);
      world.timePasses();
      expect(typed().slice(3)).toEqual(['input 3…9']);
      expect(seen.said).toEqual([]);
      world.line.hears(done(3));
      expect(typed().slice(4)).toEqual(['input 4…9']);
      world.line.hears(refused(4, true)); // one that came whole, by itself
      expect(seen.said).toEqual(['No.']);
    });

    test('retries a part that found the queue full, and nothing is sent before it', () => {
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

    test('drops the parts after a refused one', () => {
      world.line.hears(done(1), refused(2, false));
      expect(typed()).toEqual(['input 1…8200', 'input 2…8200']);
      expect(seen.said).toEqual(['No.']);
      attachment.input(utf8.encode('e'));
      expect(world.line.sent.at(-1)).toBe('input 5 e');
    });
  });

  test('is not sent by a read-only viewer, until it may control the task again', () => {
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

  test('while disconnected keeps only the newest size', () => {
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
