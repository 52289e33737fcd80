import { expect, test } from 'vitest';
import { lastLineOf } from './last-line';

test.each([
  ['one\ntwo\n', 'two'],
  ['one\r\ntwo \r\n\r\n', 'two'],
  ['10 %\r20 %\r30 %', '30 %'],
  ['\x1b[32mok\x1b[0m\n', 'ok'],
  ['\n \n', ''],
  ['', ''],
  ['\x1b[?1049h\x1b[1;1HA whole screen', ''],
])('of %j it is %j', (tail, line) => expect(lastLineOf(tail)).toBe(line));
