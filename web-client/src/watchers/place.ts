import type { Channel } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { lineAt } from '../log/line-at';
import { frameOf } from '../server/api';

/** A line of an output, counted from 1. */
export interface OutputPlace {
  readonly channel: Channel;
  readonly line: number;
}

/** The line that a frame is about: a hit's, or the first one of some output. Null for a frame without output. */
export async function placeOf(taskId: string, seq: number): Promise<OutputPlace | null> {
  const { known, frame } = readFrame(await frameOf(taskId, seq));
  if (!known) return null;
  if (frame.type === 'tool_task_output_delta') {
    const { first_line: line } = frame.artifacts.log;
    return line == null ? null : { channel: frame.stream, line };
  }
  if (frame.type !== 'task_watcher_hit') return null;
  const { stream: channel, offset_bytes: offset } = frame;
  // The frame has the match's last byte; the first may lie before it.
  const line = await lineAt(taskId, channel, offset, frame.frame_seq);
  return line === null ? null : { channel, line };
}
