/** The timeline's sentences for frames. */

import type { Actor, Cause, Frame, Outcome, TaskAgentToolCall, TaskWatcherHit, ToolTaskStatus } from '../frames/frames';
import { bytes, duration } from '../server/health';
import { hitAddress, taskAddress } from '../route';
import { nameOfItem, stateOfEnd } from '../sessions/words';
import { signalOf, withoutLost } from '../tasks/words';
import type { StreamRecord } from './stream-record';

export interface Sentence {
  readonly what: string;
  /** The actor, and the cause, where they add information. */
  readonly who: string | null;
  readonly kind: 'life' | 'success' | 'trouble' | 'output' | 'control' | 'policy' | 'hit' | 'other';
  /** The page that the sentence is about, if it is another one. */
  readonly href?: string;
}

export function sentenceOf({ known, frame }: Frame): Sentence {
  if (!known) return { what: frame.type.replaceAll('_', ' '), who: null, kind: 'other' };
  switch (frame.type) {
    case 'tool_task_spawned':
      return { what: `Requested ${frame.tool_name}: ${commandOf(frame.args)}`, who: frame.actor, kind: 'life' };
    case 'tool_task_status':
      return { what: `${askedOf(frame)}${statusOf(frame)}`, who: whoAndWhy(frame), kind: kindOfEnd(frame.outcome) };
    case 'tool_task_output_delta':
      return {
        what: outputOf(frame.stream, frame.artifacts.log.bytes, 1),
        who: null,
        kind: 'output',
      };
    case 'tool_task_output_gap':
      return {
        what: `Missing: ${bytes(frame.bytes)} of ${frame.stream === 'pty' ? 'the terminal' : frame.stream} from byte ${frame.offset_bytes} on: ${frame.reason}`,
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
      return { what: `Resized to ${frame.cols} × ${frame.rows}`, who: frame.actor, kind: 'control' };
    case 'tool_task_signalled':
      return { what: `Sent signal ${frame.signal}`, who: frame.actor, kind: 'control' };
    case 'tool_task_cancel_requested':
      return {
        what: `Stop requested${frame.reason === null ? '' : `: ${frame.reason}`}`,
        who: whoAndWhy(frame),
        kind: 'control',
      };
    case 'tool_task_cancelled':
      return { what: `Stopped after ${duration(frame.wall_time_ms)}`, who: null, kind: 'life' };
    case 'artifact_written':
      return { what: `Saved ${bytes(frame.bytes)} as ${frame.artifact_id}`, who: null, kind: 'other' };
    case 'task_policy_verdict':
      return {
        what: `Policy ${verdictOf(frame.verdict)} ${frame.operation} (rule “${frame.rule}”)${frame.reason === null ? '' : `: ${frame.reason}`}`,
        who: frame.answered_by ?? frame.asked_by,
        kind: frame.verdict === 'deny' ? 'trouble' : 'policy',
      };
    case 'task_queued':
      return { what: `Queued in lane ${frame.lane}, ${frame.ahead} ahead`, who: null, kind: 'life' };
    case 'task_watcher_added':
      return { what: `Watcher ${frame.event} added: ${frame.regex}`, who: frame.actor, kind: 'control' };
    case 'task_watcher_hit':
      return {
        what: hitOf(frame),
        who: null,
        kind: 'hit',
        href: hitAddress(frame.task_id, frame.stream, frame.stream === 'pty' ? frame.frame_seq : frame.seq),
      };
    case 'task_turn_started':
      return { what: `Turn ${frame.turn} (${frame.kind}): ${frame.prompt}`, who: frame.actor, kind: 'control' };
    case 'task_turn_settled':
      return { what: `Turn ${frame.turn} settled: ${frame.stop_reason}`, who: null, kind: 'life' };
    case 'task_usage':
      return { what: `Used ${frame.input_tokens} tokens in, ${frame.output_tokens} out`, who: null, kind: 'other' };
    case 'task_resource_usage':
      return {
        what: `CPU ${frame.cpu_percent} %, memory ${bytes(frame.memory_bytes)}`,
        who: null,
        kind: 'other',
      };
    case 'task_run_started':
      return frame.kind === 'recover'
        ? { what: `Queued again as run ${frame.run}, because the server died`, who: null, kind: 'life' }
        : { what: `Run ${frame.run} started (${frame.kind})`, who: frame.actor, kind: 'life' };
    case 'task_screen_keyframe':
      return { what: `Saved the screen, ${frame.cols} × ${frame.rows}`, who: null, kind: 'other' };
    case 'task_notice':
      return { what: frame.message, who: null, kind: frame.code === 'kill_escalated' ? 'trouble' : 'other' };
    case 'task_cleared':
      return { what: 'Cleared', who: frame.actor, kind: 'control' };
    case 'task_pinned':
      return { what: frame.pinned ? 'Pinned: kept for good' : 'No longer pinned', who: frame.actor, kind: 'control' };
    case 'task_stdin_closed':
      return { what: 'Closed the input', who: frame.actor, kind: 'control' };
    case 'task_agent_opened':
      return {
        what: `${frame.agent_name ?? 'The agent'} ${frame.loaded ? 'loaded' : 'began'} the conversation ${frame.agent_session_id}`,
        who: null,
        kind: 'life',
      };
    case 'task_agent_message':
      return { what: `${frame.role === 'thought' ? 'Thought' : 'Said'}: ${frame.text}`, who: null, kind: 'output' };
    case 'task_agent_tool_call':
      return { what: toolCallOf(frame), who: null, kind: frame.call_status === 'failed' ? 'trouble' : 'other' };
    case 'task_agent_plan':
      return {
        what: `Plan: ${frame.entries.map(({ content, status }) => `${content} (${status})`).join('; ')}`,
        who: null,
        kind: 'other',
      };
    case 'task_woke':
      return {
        what: frame.error === null ? `Woke ${frame.woken_task_id}` : `Did not wake ${frame.woken_task_id}: ${frame.error}`,
        who: null,
        kind: frame.error === null ? 'life' : 'trouble',
        href: taskAddress(frame.woken_task_id),
      };
    case 'tool_stdout':
    case 'tool_stderr':
    case 'session_webhook_set':
    case 'session_webhook_delivery':
      return { what: frame.type.replaceAll('_', ' '), who: null, kind: 'other' };
    case 'tool_ended':
    case 'session_task_ended':
      return {
        what: `${nameOfItem(frame)}: ${stateOfEnd(frame)}${frame.error == null ? '' : `: ${withoutLost(frame.error)}`}`,
        who: null,
        kind: kindOfEnd(frame.outcome),
        href: taskAddress(frame.task_id, 'timeline', frame.task_seq),
      };
    case 'session_started':
      return { what: 'Session started', who: frame.actor, kind: 'life' };
    case 'session_task_started':
      return {
        what: `Task requested: ${nameOfItem(frame)}`,
        who: null,
        kind: 'control',
        href: taskAddress(frame.task_id),
      };
    case 'session_watcher_hit':
      return { what: hitOf(frame), who: null, kind: 'hit', href: hitAddress(frame.task_id, frame.stream, frame.task_seq) };
    case 'session_acknowledged':
      return { what: `Mailbox acknowledged up to frame ${frame.through_seq}`, who: frame.actor, kind: 'control' };
    case 'session_ended':
      return {
        what: `Session ended${frame.reason === null ? '' : `: ${frame.reason}`}`,
        who: frame.actor,
        kind: 'life',
      };
  }
}

/** In the protocol's words, which policy rules and other clients use too. */
function whoAndWhy({ actor, cause }: { actor: Actor; cause: Cause }): string {
  return `${actor} · ${cause.replaceAll('_', ' ')}`;
}

/** Of a status without an outcome, too. */
function kindOfEnd(outcome: Outcome | null): Sentence['kind'] {
  if (outcome === 'succeeded') return 'success';
  return outcome === 'nonzero' || outcome === 'failed' || outcome === 'lost' ? 'trouble' : 'life';
}

function hitOf({ event, matched, stream }: Pick<TaskWatcherHit, 'event' | 'matched' | 'stream'>): string {
  return `${event}: “${matched}” ${stream === 'pty' ? 'in the terminal' : `on ${stream}`}`;
}

/** The request of a refused spawn, which is in no other frame. */
function askedOf({ refused }: ToolTaskStatus): string {
  if (refused === null || refused === undefined) return '';
  return `${refused.actor} requested ${refused.tool_name}: ${commandOf(refused.args)}. `;
}

function statusOf(frame: ToolTaskStatus): string {
  switch (frame.phase) {
    case 'ended':
      switch (frame.outcome) {
        case 'succeeded':
          return 'Succeeded';
        case 'nonzero':
          return frame.signal === null
            ? `Failed with exit code ${frame.exit_code ?? '?'}`
            : `Killed by ${signalOf(frame.signal)}`;
        case 'cancelled':
          return `Stopped (${exitOf(frame)})`;
        case 'timed_out':
          return `Timed out (${exitOf(frame)})`;
        case 'failed':
          return `Failed${errorOf(frame)}`;
        case 'lost':
          return `Lost${errorOf(frame)}`;
        case null:
          return `Ended${errorOf(frame)}`;
      }
    // eslint-disable-next-line no-fallthrough -- every outcome returns
    case 'running':
      return frame.cause === 'program' ? 'Resumed' : 'Running';
    case 'awaiting_input':
      return frame.question === null ? 'Waiting for input' : `Waiting for an answer: ${frame.question}`;
    case 'absent':
    case 'queued':
    case 'starting':
    case 'idle':
    case 'stopping':
      return `${frame.phase.charAt(0).toUpperCase()}${frame.phase.slice(1)}`;
  }
}

function errorOf({ error }: ToolTaskStatus): string {
  return error === null ? '' : `: ${withoutLost(error)}`;
}

/** The exit of the program of a stopped task. */
function exitOf({ signal, exit_code }: ToolTaskStatus): string {
  if (signal === 9) return 'killed';
  if (signal !== null) return `signal ${signal}`;
  return exit_code === null ? 'not started' : `exit code ${exit_code}`;
}

function toolCallOf({ call_id, name, title, call_status }: TaskAgentToolCall): string {
  const tool = title ?? name ?? call_id;
  switch (call_status) {
    case 'pending':
      return `Tool call: ${tool}`;
    case 'running':
      return `Tool call ${tool} runs`;
    case 'completed':
      return `Tool call ${tool} completed`;
    case 'failed':
      return `Tool call ${tool} failed`;
    case null:
      return `Tool call ${tool} continues`;
  }
}

function verdictOf(verdict: 'allow' | 'deny' | 'ask'): string {
  return { allow: 'allowed', deny: 'denied', ask: 'asks about' }[verdict];
}

/** Explains why a link shows no frame. @param seq the number in the link, NaN if it is not a number */
export function noFrame(seq: number, { count, isOpen }: Pick<StreamRecord, 'count' | 'isOpen'>): string {
  const which = Number.isNaN(seq) ? 'The link names no frame' : `There is no frame ${seq}${isOpen ? ' yet' : ''}`;
  return `${which}: they are numbered 0 to ${count - 1}.`;
}

export function commandOf(args: Readonly<Record<string, unknown>>): string {
  const { command, argv } = args;
  return typeof command === 'string' ? command : Array.isArray(argv) ? argv.join(' ') : '';
}

/** The output of one row of the timeline, with its number of frames. */
export function outputOf(stream: string, written: number, chunks: number): string {
  const to = stream === 'pty' ? 'the terminal' : stream;
  return `Output: ${bytes(written)} to ${to}${chunks === 1 ? '' : ` (${chunks} chunks)`}`;
}

const CONTROL: Readonly<Record<string, string>> = { '\r': '⏎', '\n': '⏎', '\t': '⇥', '\x1b': '⎋', '\x7f': '⌫' };

/** For a password, or where the task or its policy excludes input from the record. */
export function unseen(bytes: number): string {
  return `Typed ${bytes} ${bytes === 1 ? 'byte' : 'bytes'}, not recorded`;
}

/** Typed text, with its control keys made visible. */
export function typed(base64: string): string {
  return keysOf(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)));
}

/** Typed bytes as text, with a symbol for each control key. */
export function keysOf(bytes: Uint8Array): string {
  // eslint-disable-next-line no-control-regex
  return new TextDecoder().decode(bytes).replace(
    /[\x00-\x1f\x7f]/g,
    (each) => CONTROL[each] ?? `^${String.fromCharCode(each.charCodeAt(0) + 64)}`,
  );
}
