import type { Standing } from '../attach/attachment';

/** The state of the connection in a word or two, and whether that is as it should be. */
export function standingOf(standing: Standing): { text: string; mood: 'good' | 'busy' | 'bad' | 'idle' } {
  switch (standing.is) {
    case 'connecting':
      return { text: standing.attempt === 0 ? 'connecting' : 'connecting again', mood: 'busy' };
    case 'history':
      return { text: 'reading', mood: 'busy' };
    case 'live':
      return { text: 'live', mood: 'good' };
    case 'waiting':
      return { text: `offline, again in ${Math.ceil(standing.ms / 1000)} s`, mood: 'bad' };
    case 'ended':
      return { text: 'complete', mood: 'idle' };
  }
}
