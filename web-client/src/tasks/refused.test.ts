import { expect, test } from 'vitest';
import { inWordsOfFields } from './refused';

test.each([
  ['cwd "x" is not a directory in the workspace', 'The folder "x" is not a directory in the workspace'],
  ['args.cwd has a NUL in it', 'The folder has a NUL in it'],
  ['args.command must not be empty', 'The command must not be empty'],
  ['label cannot be one: cwd', 'label cannot be one: cwd'],
])('%s is shown as: %s', (message, told) => expect(inWordsOfFields(message)).toBe(told));
