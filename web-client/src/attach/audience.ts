import type { Channel, Frame } from '../frames/frames';
import type { ScreenPart, SizePolicy, Viewer } from './wire';

/** How it stands with the connection, for people. */
export type Standing =
  | { is: 'connecting'; attempt: number }
  | { is: 'history' }
  | { is: 'live' }
  | { is: 'waiting'; attempt: number; ms: number }
  | { is: 'ended' };

/** Who is attached to a task, and whose size its terminal has. */
export interface Company {
  readonly viewers: readonly Viewer[];
  readonly policy: SizePolicy;
  readonly leader: string | null;
  /** Which of the viewers this page is. */
  readonly self: string;
}

/** A task's stream, as it is shown: each frame and each byte once and in order, across however many connections. */
export interface Audience {
  /** What was shown before does not count any more: the terminal is as this makes it. `begins` with the first of several parts. */
  screen(part: ScreenPart, begins: boolean, parsed: () => void): void;
  output(channel: Channel, bytes: Uint8Array, parsed: () => void): void;
  frame(frame: Frame): void;
  /** Output before this offset is not shown, since the stream was joined later. */
  joinedAt(channel: Channel, offset: number): void;
  standing(standing: Standing): void;
  company(company: Company): void;
  /** There is more than it is shown soon. True when it leaps where that is too much: then it is not told as being behind. */
  fellBehind(): boolean;
  refused(message: string): void;
}
