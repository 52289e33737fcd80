import type { Standing } from '../attach/audience';

/** The state of the connection in a word or two, with its mood. @param isSilent whether the server did not respond to the last request */
export function standingOf(
  standing: Standing,
  isSilent: boolean,
): { text: string; again?: string; mood: 'good' | 'busy' | 'bad' | 'idle' } {
  switch (standing.is) {
    case 'connecting':
      return { text: standing.attempt === 0 ? 'connecting' : 'reconnecting', mood: 'busy' };
    case 'history':
      return { text: 'loading', mood: 'busy' };
    case 'live':
      return isSilent ? { text: 'not responding', mood: 'bad' } : { text: 'live', mood: 'good' };
    case 'waiting':
      return { text: 'offline', again: `, retrying in ${Math.ceil(standing.ms / 1000)} s`, mood: 'bad' };
    case 'ended':
      return { text: 'complete', mood: 'idle' };
  }
}
