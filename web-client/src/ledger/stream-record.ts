import type { Frame, Json } from '../frames/frames';
import { sessionAddress, taskAddress } from '../route';
import { events, firstOf, taskOf, timeOf, type Task } from '../server/api';
import { sessionEvents, sessionOf, type Session } from '../server/sessions';

/** A stream of frames as a timeline reads it: of a task, or of a session. */
export interface StreamRecord {
  /** How many frames there were when it was opened. */
  readonly count: number;
  /** Whether more frames may come. */
  readonly isOpen: boolean;
  /** How many frames there are now. */
  recount(): Promise<number>;
  events(fromSeq: number, signal: AbortSignal, answered: () => void): AsyncGenerator<Json>;
  timeOf(seq: number): Promise<number>;
  addressOf(seq: number): string;
  /** Whether no frame follows this one. */
  isLast(frame: Frame): boolean;
}

export function recordOfTask({ task_id: id, next_seq: count, outcome }: Task): StreamRecord {
  return {
    count,
    isOpen: outcome === null,
    recount: async () => (await taskOf(id)).next_seq,
    events: (fromSeq, signal, answered) => events(id, fromSeq, signal, answered),
    timeOf: (seq) => timeOf(id, seq),
    addressOf: (seq) => taskAddress(id, 'timeline', seq),
    // An end in the history may be followed by another run, or a pin.
    isLast: ({ known, frame }) =>
      outcome === null
        ? frame.seq >= count && known && frame.type === 'tool_task_status' && frame.phase === 'ended'
        : frame.seq >= count - 1,
  };
}

/** An ended session may be used again, so its record stays open. */
export function recordOfSession({ session_id: id, next_seq: count }: Session): StreamRecord {
  return {
    count,
    isOpen: true,
    recount: async () => (await sessionOf(id)).next_seq,
    events: (fromSeq, signal, answered) => sessionEvents(id, fromSeq, signal, answered),
    timeOf: async (seq) => {
      const frame = await firstOf((signal) => sessionEvents(id, seq, signal), `The session has no frame ${seq}.`);
      return (frame as { timestamp_ms: number }).timestamp_ms;
    },
    addressOf: (seq) => sessionAddress(id, 'timeline', seq),
    isLast: () => false,
  };
}
