import { expect, test } from 'vitest';
import { lineName, logAddress, NO_PLACE, placeIn, type LogPlace } from './place';

test.each<[LogPlace, string]>([
  [NO_PLACE, '#/tasks/t/output'],
  [{ ...NO_PLACE, line: { channel: 'stdout', first: 5, last: 5 } }, '#/tasks/t/output?line=5'],
  [{ ...NO_PLACE, line: { channel: 'stderr', first: 5, last: 9 } }, '#/tasks/t/output?line=E5-E9'],
  [{ ...NO_PLACE, show: 'stderr', find: { text: 'a b&c', regex: true, matchCase: true } }, '#/tasks/t/output?show=stderr&find=a+b%26c&regex=1&case=1'],
])('a place %j is in the address', (place, address) => {
  expect(logAddress('t', place)).toBe(address);
  expect(placeIn(address, 'stdout')).toEqual(place);
});

test.each(['', '?line=', '?line=0', '?line=x', '?line=-5', `?line=${'9'.repeat(13)}`, '?show=pty', `?find=${'x'.repeat(501)}`])(
  'an address with %j names no place',
  (query) => {
    expect(placeIn(`#/tasks/t/output${query}`, 'stdout')).toEqual(NO_PLACE);
  },
);

test('lines of both channels have different names', () => {
  expect([lineName('stdout', 5), lineName('stderr', 5), lineName('pty', 5)]).toEqual(['5', 'E5', '5']);
  expect(placeIn('#/tasks/t/output?line=5', 'pty').line?.channel).toBe('pty');
});
