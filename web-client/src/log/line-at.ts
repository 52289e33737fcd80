import type { Channel } from '../frames/frames';
import { readFrame } from '../frames/parse';
import { frameOf, outputRange, Refusal } from '../server/api';

const NEWLINE = 10;

/** The number of the line of a channel's byte, by a frame that has bytes near it; null if the frame does not tell. */
export async function lineAt(taskId: string, channel: Channel, offset: number, seq: number): Promise<number | null> {
  const { known, frame } = readFrame(await frameOf(taskId, seq));
  if (!known || frame.type !== 'tool_task_output_delta' || frame.stream !== channel || frame.artifacts.log.first_line == null) return null;
  const { first_line: line, offset_bytes: begin } = frame.artifacts.log;
  const between = await newlines(taskId, channel, Math.min(offset, begin), Math.max(offset, begin));
  return offset < begin ? Math.max(1, line - between) : line + between;
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
