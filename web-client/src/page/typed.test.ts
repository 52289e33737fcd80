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
    expect(command.mayRun()).toBe(false);
    expect(command.mayRun()).toBe(true);
  });

  test('runs text that was typed after a pause', () => {
    const command = new TypedCommand(key('n', 1_000));
    typed(command, 'make test', 1_700);
    expect(command.mayRun()).toBe(true);
  });

  test('runs pasted text', () => {
    const command = new TypedCommand(key('n', 1_000));
    command.input();
    expect(command.mayRun()).toBe(true);
  });

  test('runs a sentence once another field had the focus', () => {
    const command = new TypedCommand(key('n', 1_000));
    typed(command, 'pm test', 1_100);
    command.attended();
    expect(command.mayRun()).toBe(true);
  });
});
