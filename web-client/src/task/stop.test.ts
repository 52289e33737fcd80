import { describe, expect, test } from 'vitest';
import { stoppingFor } from './stop';

describe('a stop', () => {
  test('counts to KILL while the program still has time to react to TERM', () => {
    expect(stoppingFor(0)).toBe('Kill in 5 s');
    expect(stoppingFor(4_900)).toBe('Kill in 1 s');
  });

  test('does not say afterwards that KILL was sent: the record says whether it was needed', () => {
    expect(stoppingFor(5_000)).toBe('Finishing…');
    expect(stoppingFor(60_000)).toBe('Finishing…');
  });
});
