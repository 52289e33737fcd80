import { describe, expect, test } from 'vitest';
import { TypedCommand } from './typed';

function key(name: string, timeStamp: number): Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'> {
  return { key: name, ctrlKey: false, metaKey: false, altKey: false, timeStamp };
}

function typed(command: TypedCommand, text: string, from: number): void {
  [...text].forEach((letter, i) => {
    command.key(key(letter, from + i * 100));
    command.input();
  });
}

describe('a command field that a letter opened', () => {
  test('runs the rest of a typed sentence at the second Enter only', () => {
    const command = new TypedCommand(key('n', 1_000));
    typed(command, ' -fdx; echo x', 1_100);
    expect(command.mayRun(key('Enter', 2_500))).toBe(false);
    expect(command.mayRun(key('Enter', 3_100))).toBe(true);
  });

  test('does not run several typed lines at the Enter of the second', () => {
    const command = new TypedCommand(key('n', 1_000));
    typed(command, ' -fdx; echo x', 1_100);
    expect(command.mayRun(key('Enter', 2_500))).toBe(false);
    expect(command.mayRun(key('Enter', 2_600))).toBe(false); // an empty line
    typed(command, 'ls', 2_700);
    expect(command.mayRun(key('Enter', 2_900))).toBe(false);
    typed(command, ' -l', 3_500); // after a pause
    expect(command.mayRun(key('Enter', 3_900))).toBe(true);
  });

  test('runs text that was typed after a pause', () => {
    const command = new TypedCommand(key('n', 1_000));
    typed(command, 'make test', 1_700);
    expect(command.mayRun(key('Enter', 9_000))).toBe(true);
  });

  test('runs pasted text', () => {
    const command = new TypedCommand(key('n', 1_000));
    command.input();
    expect(command.mayRun(key('Enter', 9_000))).toBe(true);
  });

  test('runs a sentence once another field had the focus', () => {
    const command = new TypedCommand(key('n', 1_000));
    typed(command, 'pm test', 1_100);
    command.attended();
    expect(command.mayRun(key('Enter', 9_000))).toBe(true);
  });
});
