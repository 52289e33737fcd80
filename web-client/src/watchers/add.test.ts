import { expect, test } from 'vitest';
import { fieldIn } from './add';

const FIELDS = ['regex', 'event', 'stream'];

test.each([
  ['regex: missing closing ): `(`', 'regex', 'Missing closing ): `(`'],
  ['event: it is empty', 'event', 'It is empty'],
  ['stream must be stdout, stderr or pty', 'stream', 'Must be stdout, stderr or pty'],
  ['The task has 16 watchers already', null, 'The task has 16 watchers already'],
  ['regexes are fine', null, 'regexes are fine'],
])('%j belongs to the field %j', (message, field, sentence) => {
  expect(fieldIn(message, FIELDS)).toEqual({ field, sentence });
});
