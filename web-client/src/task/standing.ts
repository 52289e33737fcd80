import type { Standing } from '../attach/audience';

/** The state of the connection in a word or two, and whether that is as it should be. `isSilent` when the server does not answer. */
export function standingOf(
  standing: Standing,
  isSilent: boolean,
): { text: string; again?: string; mood: 'good' | 'busy' | 'bad' | 'idle' } {
  switch (standing.is) {
    case 'connecting':
      return { text: standing.attempt === 0 ? 'connecting' : 'connecting again', mood: 'busy' };
    case 'history':
      return { text: 'reading', mood: 'busy' };
    case 'live':
      return isSilent ? { text: 'no answer', mood: 'bad' } : { text: 'live', mood: 'good' };
    case 'waiting':
      return { text: 'offline', again: `, again in ${Math.ceil(standing.ms / 1000)} s`, mood: 'bad' };
    case 'ended':
      return { text: 'complete', mood: 'idle' };
  }
}
