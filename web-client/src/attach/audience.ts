import type { Channel, Frame } from '../frames/frames';
import type { ScreenPart, SizePolicy, Viewer } from './wire';

/** The state of the connection, for people. */
export type Standing =
  | { is: 'connecting'; attempt: number }
  | { is: 'history' }
  | { is: 'live' }
  | { is: 'waiting'; attempt: number; ms: number }
  | { is: 'ended' };

/** The viewers of a task, and whose size its terminal has. */
export interface Company {
  readonly viewers: readonly Viewer[];
  readonly policy: SizePolicy;
  readonly leader: string | null;
  /** Which of the viewers this page is. */
  readonly self: string;
}

/** Receives a task's stream: each frame and each byte once and in order, across any number of connections. */
export interface Audience {
  /** A screen, which replaces everything before it. `begins` is true for the first of several parts. */
  screen(part: ScreenPart, begins: boolean, parsed: () => void): void;
  output(channel: Channel, bytes: Uint8Array, parsed: () => void): void;
  frame(frame: Frame): void;
  /** Output before this offset is not shown, since the stream was joined later. The frame has bytes of this channel from there on. */
  joinedAt(channel: Channel, offset: number, seq: number): void;
  standing(standing: Standing): void;
  company(company: Company): void;
  /** The view lags behind the output. True if the view leaps by itself, and so is not reported as lagging. */
  fellBehind(): boolean;
  refused(message: string): void;
}
