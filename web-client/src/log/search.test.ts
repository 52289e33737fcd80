import { expect, test } from 'vitest';
import { LinesSearch, OutputSearch, type Search } from './search';

const utf8 = new TextEncoder();

async function all(search: Search): Promise<number[]> {
  const found: number[] = [];
  for (let next = await search.next(() => undefined); next !== null; next = await search.next(() => undefined))
    found.push(next);
  return found;
}

function inPieces(text: string, pieceBytes: number): OutputSearch {
  const bytes = utf8.encode(text);
  const fetch = async (from: number): Promise<Uint8Array> => bytes.subarray(from, from + pieceBytes);
  return new OutputSearch('Nadel', fetch, () => bytes.length);
}

const TEXT = 'heu\nNADEL und nadel\n\nheü Nadel\nheu\nletzte nadel';

test.each([1, 2, 3, 7, 1000])('however the output is cut, each line is found once (%d bytes)', async (pieceBytes) => {
  expect(await all(inPieces(TEXT, pieceBytes))).toEqual([1, 3, 5]);
});

test('lines at hand are found alike', async () => {
  const lines = TEXT.split('\n');
  expect(await all(new LinesSearch('nadel', { count: lines.length, textAt: (i) => lines[i]! }))).toEqual([1, 3, 5]);
});

test('a search says how far it is, and ends when it is stopped', async () => {
  const shares: number[] = [];
  const search: OutputSearch = new OutputSearch(
    'nowhere',
    async (from) => {
      if (from === 200) search.stop();
      return utf8.encode('x'.repeat(99) + '\n');
    },
    () => 1000,
  );
  expect(await search.next((share) => shares.push(share))).toBeNull();
  expect(shares).toEqual([0.1, 0.2]);
});
