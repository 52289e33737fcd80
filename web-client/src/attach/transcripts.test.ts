import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read, writeOperation, writeParsed, writeSeen, type Entry, type SizePolicy } from './wire';

const ROOT = new URL('../../../conformance/attach/v1/', import.meta.url);

type Line = { viewer?: string; server?: string; means: Record<string, unknown> };

function lines(name: string): Line[] {
  const [, ...rest] = readFileSync(new URL(name, ROOT), 'utf8').trimEnd().split('\n');
  return rest.map((line) => JSON.parse(line) as Line);
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function meaning(entry: Entry): unknown {
  switch (entry.kind) {
    case 'frame':
      return { kind: 'frame', json: entry.json };
    case 'news':
      return { kind: 'news', json: entry.news };
    case 'output':
    case 'screen': {
      const { bytes, ...rest } = entry;
      return { ...rest, text: new TextDecoder().decode(bytes) };
    }
  }
}

function written(means: Record<string, unknown>): Uint8Array {
  switch (means['type']) {
    case 'stdin':
      return writeOperation({
        type: 'stdin',
        op: means['op'] as number,
        bytes: new TextEncoder().encode(means['text'] as string),
      });
    case 'size_policy':
      return writeOperation({ type: 'size_policy', op: means['op'] as number, policy: means['policy'] as SizePolicy });
    case 'parsed':
      return writeParsed(means['next_seq'] as number);
    default:
      return writeSeen(means['type'] === 'shown');
  }
}

const names = readdirSync(ROOT).filter((name) => name.endsWith('.binary.jsonl'));

test('there are sessions in the binary format', () => expect(names.length).toBeGreaterThan(3));

test.each(names)('%s means the same as to the server', (name) => {
  for (const line of lines(name)) {
    if (line.server !== undefined) {
      expect(read(Buffer.from(line.server, 'hex')).map(meaning)).toEqual([line.means]);
    } else if (line.viewer !== undefined) {
      expect(hex(written(line.means))).toBe(line.viewer);
    }
  }
});
