import { expect, test } from 'vitest';
import { waitingWords } from './offline';

const utf8 = new TextEncoder();
const typed = (sent: string, unsent: string) => ({ sent: utf8.encode(sent), unsent: utf8.encode(unsent) });

test('waiting input is described by whether it may have arrived', () => {
  expect(waitingWords(typed('', ''), '$ ')).toBeNull();
  expect(waitingWords(typed('', 'ls\r'), '$ ')).toBe('Will be sent: ls⏎');
  expect(waitingWords(typed('l', 's\r'), '$ ')).toBe('Sent, not confirmed: l · Will be sent: s⏎');
});

test('the end of long input is shown', () => {
  expect(waitingWords(typed('', `${'x'.repeat(100)}end`), '$ ')).toBe(`Will be sent: …${'x'.repeat(57)}end`);
});

test.each(['[sudo] password for ann: ', "Enter passphrase for key '/home/ann/.ssh/id':", 'PIN: '])(
  'input at %j is counted and not shown',
  (line) => {
    expect(waitingWords(typed('', 'hunter2\r'), line)).toBe('Will be sent: 8 bytes, not shown');
  },
);
