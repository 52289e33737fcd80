import type { Channel } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { frameOf, outputRange, Refusal } from '../server/api';

const NEWLINE = 10;

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
  const { known: isKnown, frame: delta } = readFrame(await frameOf(taskId, frame.frame_seq));
  if (!isKnown || delta.type !== 'tool_task_output_delta' || delta.artifacts.log.first_line == null) return null;
  const { first_line: line, offset_bytes: begin } = delta.artifacts.log;
  // The frame has the match's last byte; the first may lie before it.
  const between = await newlines(taskId, channel, Math.min(offset, begin), Math.max(offset, begin));
  return { channel, line: offset < begin ? Math.max(1, line - between) : line + between };
}

async function newlines(taskId: string, channel: Channel, from: number, to: number): Promise<number> {
  if (from === to) return 0;
  try {
    const bytes = await outputRange(taskId, channel, from, to, AbortSignal.timeout(10_000));
    return bytes.reduce((count, each) => count + (each === NEWLINE ? 1 : 0), 0);
  } catch (refused) {
    if (refused instanceof Refusal) return 0; // bytes that are stored no longer
    throw refused;
  }
}
