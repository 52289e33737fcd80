import { describe, expect, test } from 'vitest';
import { read, writeOperation, writeParsed, writeSeen } from './wire';

const utf8 = new TextEncoder();

function bytes(...parts: (number | string)[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => (typeof part === 'number' ? [part] : [...utf8.encode(part)])));
}

describe('a message of the server', () => {
  test('is a sequence of entries', () => {
    const message = bytes(1, 6, 9, 2, 0x80, 0x02, 'hi', 3, 41, '{"type":"attach_caught_up","next_seq":99}', 2, 2, '{}');
    expect(read(message)).toEqual([
      { kind: 'output', nextSeq: 9, channel: 'pty', offset: 256, bytes: utf8.encode('hi') },
      { kind: 'news', news: { type: 'attach_caught_up', next_seq: 99 } },
      { kind: 'frame', json: {} },
    ]);
  });

  test('has screens in parts', () => {
    expect(read(bytes(4, 8, 0x80, 0x01, 24, 80, 2, 'abc', 4, 6, 0x80, 0x01, 24, 80, 0, 'd'))).toEqual([
      { kind: 'screen', nextSeq: 128, rows: 24, cols: 80, left: 2, bytes: utf8.encode('abc') },
      { kind: 'screen', nextSeq: 128, rows: 24, cols: 80, left: 0, bytes: utf8.encode('d') },
    ]);
  });

  test('has numbers beyond 32 bits', () => {
    const [entry] = read(bytes(1, 9, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01));
    expect(entry).toMatchObject({ channel: 'stdout', offset: 2 ** 42 });
  });

  test('may have entries of an unknown kind', () => {
    expect(read(bytes(77, 3, 'abc', 2, 2, '{}'))).toHaveLength(1);
  });

  test.each([
    ['cut in its header', [1]],
    ['cut in its content', [1, 5, 1]],
    ['of no channel', [1, 3, 0, 9, 0]],
    ['a number without an end', [1, 9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
  ])('is refused when it is %s', (_what, message) => {
    expect(() => read(Uint8Array.from(message))).toThrow(/The server's message cannot be read/);
  });
});

describe('a message to the server', () => {
  test('types bytes under their number', () => {
    expect(writeOperation({ type: 'stdin', op: 300, bytes: Uint8Array.of(3) })).toEqual(bytes(1, 3, 0xac, 0x02, 3));
  });

  test('has all other operations as JSON', () => {
    const json = '{"type":"resize","op":1,"rows":50,"cols":132}';
    expect(writeOperation({ type: 'resize', op: 1, rows: 50, cols: 132 })).toEqual(bytes(2, json.length, json));
  });

  test('reports whether the page is visible', () => {
    expect(writeSeen(false)).toEqual(bytes(2, 17, '{"type":"hidden"}'));
    expect(writeSeen(true)).toEqual(bytes(2, 16, '{"type":"shown"}'));
  });

  test('acknowledges parsed output', () => {
    expect(writeParsed(0)).toEqual(bytes(3, 1, 0));
    expect(writeParsed(2 ** 40)).toEqual(bytes(3, 6, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20));
  });
});
