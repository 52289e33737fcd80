import { describe, expect, test } from 'vitest';
import { Folds } from './folds';
import { MergedLines } from './lines';

const utf8 = new TextEncoder();

function foldsOf(text: string, foldsEnded = true): { lines: MergedLines; folds: Folds; add(more: string): void } {
  const lines = new MergedLines();
  const folds = new Folds(lines);
  if (!foldsEnded) folds.wasRead();
  const add = (more: string): void => lines.add('stdout', utf8.encode(more));
  add(text);
  return { lines, folds, add };
}

function texts(folds: Folds): string[] {
  return Array.from({ length: folds.count }, (_, i) => {
    const line = folds.at(i)!;
    const text = line.spans.map((span) => span.text).join('');
    return line.group === undefined ? text : `${line.group.folded ? '▸' : '▾'} ${text} ${line.group.lines}`;
  });
}

const LOG = 'begin\n::group::Install\na\nb\n::endgroup::\nbetween\n::group::Test\nc\n::endgroup::\nend\n';

describe('groups of a log', () => {
  test('are folded, and open with their lines', () => {
    const { folds } = foldsOf(LOG);
    expect(texts(folds)).toEqual(['begin', '▸ Install 2', 'between', '▸ Test 1', 'end']);
    folds.toggle(1);
    expect(texts(folds)).toEqual(['begin', '▾ Install 2', 'a', 'b', 'between', '▸ Test 1', 'end']);
    folds.toggle(5);
    folds.toggle(1);
    expect(texts(folds)).toEqual(['begin', '▸ Install 2', 'between', '▾ Test 1', 'c', 'end']);
    folds.toggleAll();
    expect(texts(folds)).toEqual(['begin', '▾ Install 2', 'a', 'b', 'between', '▾ Test 1', 'c', 'end']);
    folds.toggleAll();
    expect(folds.count).toBe(5);
  });

  test('stay open while one looks at them', () => {
    const { folds, add } = foldsOf('::group::Install\na\n', false);
    expect(texts(folds)).toEqual(['▾ Install 1', 'a']);
    add('b\n::endgroup::\nend\n');
    expect(texts(folds)).toEqual(['▾ Install 2', 'a', 'b', 'end']);
  });

  test('without an end reach to the next group, or the end of the log', () => {
    const { folds, add } = foldsOf('::group::One\na\n::group::Two\nb\n');
    expect(texts(folds)).toEqual(['▸ One 1', '▾ Two 1', 'b']);
    folds.toggle(1);
    add('c\n');
    expect(texts(folds)).toEqual(['▸ One 1', '▸ Two 2']);
    add('::endgroup::\nend\n');
    expect(texts(folds)).toEqual(['▸ One 1', '▸ Two 2', 'end']);
  });

  test('open for a line that is looked for in them', () => {
    const { folds } = foldsOf(LOG);
    folds.show(3);
    expect(folds.outerOf(3)).toBe(3);
    expect(folds.innerOf(4)).toBe(5);
    expect(texts(folds)[3]).toBe('b');
  });

  test('map each visible line to itself', () => {
    let seed = 5;
    const random = (below: number): number => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
    for (let round = 0; round < 300; round++) {
      const text = Array.from({ length: random(40) }, (_, i) => ['::group::g', '::endgroup::', `line ${i}`, `more ${i}`][random(4)]).join('\n');
      const { folds, lines } = foldsOf(`${text}\n`);
      for (let i = random(4); i > 0 && folds.count > 0; i--) folds.toggle(random(folds.count));
      for (let i = 0; i < folds.count; i++) {
        expect(folds.outerOf(folds.innerOf(i)), text).toBe(i);
        expect(folds.at(i)?.number).toBe(lines.at(folds.innerOf(i))?.number);
      }
    }
  });

  test('stay in place while the oldest lines are dropped', () => {
    const { folds, lines, add } = foldsOf(`${LOG}${'x\n'.repeat(99_000)}${LOG}`);
    const before = folds.count + folds.dropped;
    add('y\n'.repeat(15_000));
    expect(lines.dropped).toBeGreaterThan(10_000);
    expect(folds.count + folds.dropped).toBe(before + 15_000);
    expect(texts(folds).filter((text) => text.startsWith('▸'))).toEqual(['▸ Install 2', '▸ Test 1']);
  });

  test('have the numbers of their lines', () => {
    expect(Array.from({ length: 5 }, (_, i) => foldsOf(LOG).folds.at(i)?.number)).toEqual([1, 2, 6, 7, 10]);
  });
});
