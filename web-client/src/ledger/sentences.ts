/** Frames in people's words. */

import type { Actor, Cause, Frame, ToolTaskStatus } from '../frames/frames';
import type { Task } from '../server/api';
import { bytes, duration } from '../server/health';
import { withoutLost } from '../tasks/words';

export interface Sentence {
  readonly what: string;
  /** Who did it, and why, where that says something. */
  readonly who: string | null;
  readonly kind: 'life' | 'trouble' | 'output' | 'control' | 'policy' | 'other';
}

export function sentenceOf({ known, frame }: Frame): Sentence {
  if (!known) return { what: frame.type.replaceAll('_', ' '), who: null, kind: 'other' };
  switch (frame.type) {
    case 'tool_task_spawned':
      return { what: `Asked to run ${frame.tool_name} ${commandOf(frame.args)}`, who: frame.actor, kind: 'life' };
    case 'tool_task_status':
      return { what: `${askedOf(frame)}${statusOf(frame)}`, who: whoAndWhy(frame), kind: isTrouble(frame) ? 'trouble' : 'life' };
    case 'tool_task_output_delta':
      return {
        what: `Wrote ${bytes(frame.artifacts.log.bytes)} to ${frame.stream === 'pty' ? 'the terminal' : frame.stream}`,
        who: null,
        kind: 'output',
      };
    case 'tool_task_output_gap':
      return {
        what: `${bytes(frame.bytes)} of ${frame.stream === 'pty' ? 'the terminal' : frame.stream} from byte ${frame.offset_bytes} on are missing: ${frame.reason}`,
        who: null,
        kind: 'trouble',
      };
    case 'tool_task_stdin_written':
      return {
        what: frame.chunk_b64 === null ? unseen(frame.bytes) : `Typed ${typed(frame.chunk_b64)}`,
        who: frame.actor,
        kind: 'control',
      };
    case 'tool_task_resized':
      return { what: `Made the terminal ${frame.cols} × ${frame.rows}`, who: frame.actor, kind: 'control' };
    case 'tool_task_signalled':
      return { what: `Sent the signal ${frame.signal}`, who: frame.actor, kind: 'control' };
    case 'tool_task_cancel_requested':
      return {
        what: `Stop requested${frame.reason === null ? '' : `: ${frame.reason}`}`,
        who: whoAndWhy(frame),
        kind: 'control',
      };
    case 'tool_task_cancelled':
      return { what: `Stopped after ${duration(frame.wall_time_ms)}`, who: null, kind: 'life' };
    case 'artifact_written':
      return { what: `Kept ${bytes(frame.bytes)} as ${frame.artifact_id}`, who: null, kind: 'other' };
    case 'task_policy_verdict':
      return {
        what: `Policy: ${verdictOf(frame.verdict)} ${frame.operation} by the rule “${frame.rule}”${frame.reason === null ? '' : `, ${frame.reason}`}`,
        who: frame.asked_by,
        kind: 'policy',
      };
    case 'task_queued':
      return { what: `Waits in the lane ${frame.lane}, ${frame.ahead} before it`, who: null, kind: 'life' };
    case 'task_watcher_added':
      return { what: `Watches ${frame.stream ?? 'all output'} for ${frame.regex}`, who: frame.actor, kind: 'control' };
    case 'task_watcher_hit':
      return { what: `“${frame.matched}” was seen on ${frame.stream}`, who: null, kind: 'other' };
    case 'task_turn_started':
      return { what: `Turn ${frame.turn} (${frame.kind}): ${frame.prompt}`, who: frame.actor, kind: 'control' };
    case 'task_turn_settled':
      return { what: `Turn ${frame.turn} settled: ${frame.stop_reason}`, who: null, kind: 'life' };
    case 'task_usage':
      return { what: `Used ${frame.input_tokens} tokens in, ${frame.output_tokens} out`, who: null, kind: 'other' };
    case 'task_run_started':
      return { what: `Run ${frame.run} begins (${frame.kind})`, who: frame.actor, kind: 'life' };
    case 'task_screen_keyframe':
      return { what: `Kept the screen, ${frame.cols} × ${frame.rows}`, who: null, kind: 'other' };
    case 'task_notice':
      return { what: frame.message, who: null, kind: frame.code === 'kill_escalated' ? 'trouble' : 'other' };
    case 'task_cleared':
      return { what: 'Cleared', who: frame.actor, kind: 'control' };
    case 'tool_stdout':
    case 'tool_stderr':
    case 'tool_ended':
    case 'session_started':
    case 'session_task_started':
    case 'session_watcher_hit':
    case 'session_acknowledged':
    case 'session_ended':
      return { what: frame.type.replaceAll('_', ' '), who: null, kind: 'other' };
  }
}

/** As the protocol has them, which is what the rules of a policy and other clients say too. */
function whoAndWhy({ actor, cause }: { actor: Actor; cause: Cause }): string {
  return `${actor} · ${cause.replaceAll('_', ' ')}`;
}

function isTrouble({ outcome }: ToolTaskStatus): boolean {
  return outcome === 'nonzero' || outcome === 'failed' || outcome === 'lost';
}

/** What a refused spawn asked for, which no other frame tells. */
function askedOf({ refused }: ToolTaskStatus): string {
  if (refused === null || refused === undefined) return '';
  return `${refused.actor} asked to run ${refused.tool_name} ${commandOf(refused.args)}. `;
}

function statusOf(frame: ToolTaskStatus): string {
  switch (frame.phase) {
    case 'ended':
      switch (frame.outcome) {
        case 'succeeded':
          return 'Ended well';
        case 'nonzero':
          return frame.signal === null
            ? `Ended with exit code ${frame.exit_code ?? '?'}`
            : `Ended by signal ${frame.signal}`;
        case 'cancelled':
          return `Ended, ${wayOut(frame)}`;
        case 'timed_out':
          return `Timed out, ${wayOut(frame)}`;
        case 'failed':
        case 'lost':
        case null:
          return `Ended: ${frame.outcome ?? 'no outcome'}${frame.error === null ? '' : `, ${withoutLost(frame.error)}`}`;
      }
    // eslint-disable-next-line no-fallthrough -- every outcome returns
    case 'running':
      return frame.cause === 'program' ? 'Does not wait any more' : 'Runs';
    case 'awaiting_input':
      return frame.question === null ? 'Waits for input' : `Waits for an answer: ${frame.question}`;
    case 'absent':
    case 'queued':
    case 'starting':
    case 'idle':
    case 'stopping':
      return `Is ${frame.phase}`;
  }
}

/** How the program of a task that was stopped left. */
function wayOut({ signal, exit_code }: ToolTaskStatus): string {
  if (signal === 9) return 'killed';
  if (signal !== null) return `by signal ${signal}`;
  return exit_code === null ? 'never started' : `with exit code ${exit_code}`;
}

function verdictOf(verdict: 'allow' | 'deny' | 'ask'): string {
  return { allow: 'allows', deny: 'denies', ask: 'asks about' }[verdict];
}

/** Why a link shows no frame. @param seq the one that it names, NaN for what is the number of none */
export function noFrame(seq: number, { next_seq, outcome }: Pick<Task, 'next_seq' | 'outcome'>): string {
  const which = Number.isNaN(seq) ? 'The link names no frame' : `There is no frame ${seq}${outcome === null ? ' yet' : ''}`;
  return `${which}: they are numbered 0 to ${next_seq - 1}.`;
}

export function commandOf(args: Readonly<Record<string, unknown>>): string {
  const { command, argv } = args;
  return typeof command === 'string' ? command : Array.isArray(argv) ? argv.join(' ') : '';
}

const CONTROL: Readonly<Record<string, string>> = { '\r': '⏎', '\n': '⏎', '\t': '⇥', '\x1b': '⎋', '\x7f': '⌫' };

/** Of a password, or where the task or its policy says that no input is recorded. */
export function unseen(bytes: number): string {
  return `Typed ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}, not recorded`;
}

/** What was typed, with its keys made visible. */
export function typed(base64: string): string {
  return keysOf(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)));
}

/** Keys as they are told, those that write nothing too. */
export function keysOf(bytes: Uint8Array): string {
  // eslint-disable-next-line no-control-regex
  return new TextDecoder().decode(bytes).replace(
    /[\x00-\x1f\x7f]/g,
    (each) => CONTROL[each] ?? `^${String.fromCharCode(each.charCodeAt(0) + 64)}`,
  );
}
