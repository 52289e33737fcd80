/** What a message to an agent does at the moment. */

import type { AgentSpec } from '../frames/frames';
import type { Task } from '../server/api';
import type { Conversation } from './model';

export type Input =
  /** It goes to the agent at work. */
  | { readonly is: 'steer' }
  /** It starts another run, which continues the conversation. */
  | { readonly is: 'resume' }
  /** It can be written, but not be sent; not even written if that is final. */
  | { readonly is: 'off'; readonly why: string; readonly isFinal: boolean };

/** The tool whose tasks can be resumed. */
const RESUMABLE = 'background_task';

export function inputOf(
  { tool, outcome }: Pick<Task, 'tool' | 'outcome'>,
  { after_turn }: Pick<AgentSpec, 'after_turn'>,
  { phase, turns, canLoad }: Pick<Conversation, 'phase' | 'turns' | 'canLoad'>,
): Input {
  const off = (why: string): Input => ({ is: 'off', why, isFinal: outcome !== null || phase === 'stopping' });
  if (outcome !== null) {
    if (outcome !== 'succeeded') return off('The agent did not finish its turn, so the conversation cannot be continued.');
    if (tool !== RESUMABLE) return off(`Only tasks of ${RESUMABLE} can be continued after their end; ${tool} started this one.`);
    return canLoad === false ? off('The agent program cannot load an earlier conversation.') : { is: 'resume' };
  }
  switch (phase) {
    case 'running':
      return turns === 0 ? off('The agent program is starting.') : { is: 'steer' };
    case 'idle':
      return after_turn === 'stay' ? { is: 'steer' } : off('The agent has finished, and its program is ending.');
    case 'awaiting_input':
      return off(turns === 0 ? 'The question is to be answered first.' : 'The agent waits for the answer to its question.');
    case 'stopping':
      return off('The task is being stopped.');
    case 'ended':
      return off('The task has ended.');
    case 'absent':
    case 'queued':
    case 'starting':
      return off('The agent has not started yet.');
  }
}
