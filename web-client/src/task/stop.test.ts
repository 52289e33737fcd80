import { describe, expect, test } from 'vitest';
import { stoppingFor } from './stop';

describe('a stop', () => {
  test('counts to KILL while whoever does not hear TERM still has time', () => {
    expect(stoppingFor(0)).toBe('TERM sent · KILL in 5 s');
    expect(stoppingFor(4_900)).toBe('TERM sent · KILL in 1 s');
  });

  test('does not say afterwards that KILL was sent: nobody knows whether there was anyone left to send it to', () => {
    expect(stoppingFor(5_000)).toBe('Left or killed · last output');
    expect(stoppingFor(60_000)).toBe('Left or killed · last output');
  });
});
