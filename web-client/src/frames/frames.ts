/** Every frame as it comes over the wire: the mirror of the Java records in `io.penstock.frames`. */

export const PHASES = ['absent', 'queued', 'starting', 'running', 'awaiting_input', 'idle', 'stopping', 'ended'] as const;
export const OUTCOMES = ['succeeded', 'nonzero', 'failed', 'cancelled', 'timed_out', 'lost'] as const;
export const CAUSES = [
  'request', 'exit', 'signal', 'exec_error', 'policy', 'timeout', 'budget', 'parent', 'quota', 'program', 'shutdown', 'recovery',
] as const;
export const CHANNELS = ['stdout', 'stderr', 'pty'] as const;
export const MODES = ['pipes', 'pty'] as const;
export const STREAM_KINDS = ['task', 'session'] as const;
export const RECORD_INPUTS = ['default', 'none', 'all'] as const;
export const KEEPS = ['head', 'tail', 'all'] as const;
export const ON_LOSTS = ['end', 'requeue'] as const;
export const CONTAINMENTS = ['cgroup', 'adoption', 'session', 'descendants'] as const;
export const WATCH_SCOPES = ['line', 'window'] as const;
export const VERDICTS = ['allow', 'deny', 'ask'] as const;
export const TURN_KINDS = ['prompt', 'steer', 'follow_up', 'resume'] as const;
export const AGENT_PROTOCOLS = ['acp', 'pi'] as const;
export const AFTER_TURNS = ['end', 'stay'] as const;
export const AGENT_ROLES = ['assistant', 'thought'] as const;
export const CALL_STATUSES = ['pending', 'running', 'completed', 'failed'] as const;
export const RUN_KINDS = ['resume', 'recover', 'requeue'] as const;

export type Phase = (typeof PHASES)[number];
export type Outcome = (typeof OUTCOMES)[number];
export type Cause = (typeof CAUSES)[number];
export type Channel = (typeof CHANNELS)[number];
export type ExecutionMode = (typeof MODES)[number];
export type RecordInput = (typeof RECORD_INPUTS)[number];
export type Keep = (typeof KEEPS)[number];
export type OnLost = (typeof ON_LOSTS)[number];
export type Containment = (typeof CONTAINMENTS)[number];
export type StreamKind = (typeof STREAM_KINDS)[number];
export type TurnKind = (typeof TURN_KINDS)[number];
export type RunKind = (typeof RUN_KINDS)[number];
/** `user:ID`, `server`, `reaper`, `policy` or `program`. */
export type Actor = string;
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Envelope {
  id: string;
  stream_kind: StreamKind;
  stream_id: string;
  session_id: string;
  timestamp_ms: number;
  seq: number;
}

export interface LogRef {
  id: string;
  path: string;
}

export interface LogEnd extends LogRef {
  bytes_total: number;
  bytes_stored: number;
  truncated: boolean;
  error: string | null;
  /** The digest of the stored bytes, once the artifact is sealed; missing in frames from before it was recorded. */
  digest?: string | null;
}

export interface LogEnds {
  logs: Partial<Record<Channel, LogEnd>>;
}

/** The fields of a task's spawn, kept in its state. */
export interface Spec {
  tool_name: string;
  args: { [name: string]: Json };
  cwd: string | null;
  title: string | null;
  execution_mode: ExecutionMode;
  origin_session_id: string | null;
  artifacts: {
    logs: Partial<Record<Channel, LogRef>>;
    artifact_max_bytes: number | null;
    max_bytes: number | null;
  };
  actor: Actor;
  /** The containment of all its processes; null where it was not recorded. */
  containment: Containment | null;
  /** The label that its session gave it. */
  label: string | null;
  /** Which input is recorded; null where it was not recorded. */
  record_input: RecordInput | null;
  /** Which bytes of an output beyond the limit are kept; null where it was not recorded. */
  keep: Keep | null;
  /** What follows the death of the server; null where that was not recorded. */
  on_lost: OnLost | null;
  /** Whether a task on pipes has an input; a terminal always has one. */
  stdin_open: boolean;
  links: TaskLinks;
  /** The agent program of an agent task; null for a task that runs a command. */
  agent: AgentSpec | null;
}

/** How a task is related to other tasks, and what its end causes. */
export interface TaskLinks {
  /** The task that asked for it. */
  parent_task_id: string | null;
  /** The number of tasks above it. */
  depth: number;
  /** The name that it shares with the tasks of the same batch. */
  batch: string | null;
  /** Whether its end is an item of its session's mailbox. */
  notify: boolean;
  /** The agent task that its end wakes, and the text that the agent is sent. */
  on_end: { resume: string; message: string } | null;
}

export interface AgentSpec {
  /** The configured name of the program. */
  profile: string;
  protocol: (typeof AGENT_PROTOCOLS)[number];
  model: string | null;
  thinking: string | null;
  /** What happens to the program when its turn has settled. */
  after_turn: (typeof AFTER_TURNS)[number];
}

/** The request of a refused spawn. */
export interface RefusedSpawn {
  tool_name: string;
  args: { [name: string]: Json };
  cwd: string | null;
  title: string | null;
  execution_mode: ExecutionMode;
  origin_session_id: string | null;
  label: string | null;
  actor: Actor;
  /** The rule of policy that denied the spawn. Missing in frames from before it was recorded. */
  rule?: string | null;
}

interface OfTask<T extends string> extends Envelope {
  type: T;
  task_id: string;
}

type LaterFields = 'containment' | 'label' | 'record_input' | 'keep' | 'on_lost' | 'stdin_open' | 'links' | 'agent';

export interface ToolTaskSpawned extends OfTask<'tool_task_spawned'>, Omit<Spec, LaterFields> {
  /** Missing in frames from before it was recorded. */
  containment?: Containment | null;
  label?: string | null;
  record_input?: RecordInput | null;
  keep?: Keep | null;
  on_lost?: OnLost | null;
  stdin_open?: boolean;
  links?: TaskLinks | null;
  agent?: AgentSpec | null;
}

export interface ToolTaskStatus extends OfTask<'tool_task_status'> {
  status: 'queued' | 'running' | 'exited' | 'cancelled' | 'failed';
  exit_code: number | null;
  started_at_ms: number | null;
  ended_at_ms: number | null;
  artifacts: LogEnds | null;
  error: string | null;
  phase: Phase;
  outcome: Outcome | null;
  signal: number | null;
  question: string | null;
  cause: Cause;
  actor: Actor;
  /** Missing in frames from before it was recorded. */
  refused?: RefusedSpawn | null;
}

export interface ToolTaskOutputDelta extends OfTask<'tool_task_output_delta'> {
  stream: Channel;
  /** Text of the characters that end in these bytes, as far as it is shown; older servers do not send the two fields below. */
  chunk: string | null;
  /** The number of the channel's bytes that it stands for. */
  chunk_bytes?: number;
  /** Whether the chunk lacks some of these bytes. */
  chunk_truncated?: boolean;
  artifacts: {
    log: {
      id: string | null;
      path: string | null;
      offset_bytes: number;
      bytes: number;
      bytes_total: number;
      bytes_stored: number;
      truncated: boolean;
      /** The number of the line of the first byte, from 1; null where it was not recorded. */
      first_line?: number | null;
      /** The number of lines that have one of these bytes. */
      lines?: number | null;
      /** Whether the bytes have been removed. */
      removed?: boolean;
    };
  };
}

/** Bytes that are not stored because the disk was full, although they are within the limit. */
export interface ToolTaskOutputGap extends OfTask<'tool_task_output_gap'> {
  stream: Channel;
  offset_bytes: number;
  bytes: number;
  reason: string;
}

export interface ToolTaskStdinWritten extends OfTask<'tool_task_stdin_written'> {
  /** Null where the input is not recorded, such as a password: only the number of bytes is. */
  chunk_b64: string | null;
  bytes: number;
  actor: Actor;
}

export interface ToolTaskResized extends OfTask<'tool_task_resized'> {
  rows: number;
  cols: number;
  actor: Actor;
}

export interface ToolTaskSignalled extends OfTask<'tool_task_signalled'> {
  signal: string;
  actor: Actor;
}

export interface StopRequest {
  reason: string | null;
  cause: Cause;
  actor: Actor;
}

export interface ToolTaskCancelRequested extends OfTask<'tool_task_cancel_requested'>, StopRequest {}

export interface ToolTaskCancelled extends OfTask<'tool_task_cancelled'> {
  reason: string | null;
  wall_time_ms: number;
}

export interface ArtifactWritten extends OfTask<'artifact_written'> {
  artifact_id: string;
  kind: string;
  bytes: number;
  digest: string;
  preview: string | null;
}

/** The limits of a task, which is stopped beyond them; null means no limit. */
export interface Budgets {
  time_ms: number | null;
  output_bytes: number | null;
  events: number | null;
}

export interface TaskPolicyVerdict extends OfTask<'task_policy_verdict'> {
  operation: string;
  verdict: (typeof VERDICTS)[number];
  rule: string;
  reason: string | null;
  asked_by: Actor;
  /** The budgets of an allowed spawn; missing in frames from before there were any. */
  budgets?: Budgets | null;
  /** The actor who answered the question of a rule, `server` if there was no answer in time; missing in older frames. */
  answered_by?: Actor | null;
}

export interface TaskQueued extends OfTask<'task_queued'> {
  lane: string;
  ahead: number;
}

export interface TaskWatcherAdded extends OfTask<'task_watcher_added'> {
  watcher_id: string;
  regex: string;
  event: string;
  stream: Channel | null;
  once: boolean;
  scope: (typeof WATCH_SCOPES)[number];
  actor: Actor;
}

export interface TaskWatcherHit extends OfTask<'task_watcher_hit'> {
  watcher_id: string;
  event: string;
  stream: Channel;
  offset_bytes: number;
  bytes: number;
  matched: string;
  frame_seq: number;
}

export interface TaskTurnStarted extends OfTask<'task_turn_started'> {
  turn: number;
  kind: TurnKind;
  prompt: string;
  prompt_id: string | null;
  actor: Actor;
}

export interface TaskTurnSettled extends OfTask<'task_turn_settled'> {
  turn: number;
  stop_reason: string;
  result: string | null;
}

export interface TaskUsage extends OfTask<'task_usage'> {
  input_tokens: number;
  output_tokens: number;
  cost_micro_usd: number;
}

export interface TaskResourceUsage extends OfTask<'task_resource_usage'> {
  cpu_ms: number;
  cpu_percent: number;
  over_ms: number;
  memory_bytes: number;
  memory_peak_bytes: number;
  processes: number;
}

export interface TaskRunStarted extends OfTask<'task_run_started'> {
  run: number;
  kind: RunKind;
  actor: Actor;
}

export interface TaskScreenKeyframe extends OfTask<'task_screen_keyframe'> {
  artifact_id: string;
  pty_offset: number;
  rows: number;
  cols: number;
}

export interface TaskNotice extends OfTask<'task_notice'> {
  code: string;
  message: string;
}

export interface TaskCleared extends OfTask<'task_cleared'> {
  actor: Actor;
}

export interface TaskPinned extends OfTask<'task_pinned'> {
  pinned: boolean;
  actor: Actor;
}

/** The agent program of this run is ready for a turn. */
export interface TaskAgentOpened extends OfTask<'task_agent_opened'> {
  /** The program's own name of the conversation. */
  agent_session_id: string;
  /** Whether the conversation is that of an earlier run. */
  loaded: boolean;
  /** Whether a later run can load it. */
  can_load: boolean;
  agent_name: string | null;
  agent_version: string | null;
}

/** The next part of a message of the agent. */
export interface TaskAgentMessage extends OfTask<'task_agent_message'> {
  turn: number;
  role: (typeof AGENT_ROLES)[number];
  /** Equal in all frames of one message; null if the program does not name its messages. */
  message_id: string | null;
  text: string;
}

/** The agent uses a tool: the first frame of a call is pending, each later one says what has changed. */
export interface TaskAgentToolCall extends OfTask<'task_agent_tool_call'> {
  turn: number;
  call_id: string;
  name: string | null;
  title: string | null;
  call_status: (typeof CALL_STATUSES)[number] | null;
  input: string | null;
  /** Continues the output so far. */
  output: string | null;
  /** The task that carries out the call. */
  child_task_id: string | null;
}

/** The agent's plan, which replaces an earlier one. */
export interface TaskAgentPlan extends OfTask<'task_agent_plan'> {
  turn: number;
  entries: { content: string; status: string }[];
}

/** The end of this task was to wake an agent. */
export interface TaskWoke extends OfTask<'task_woke'> {
  woken_task_id: string;
  /** Why the agent was not woken; null if it was. */
  error: string | null;
}

/** The input of a task on pipes was closed. */
export interface TaskStdinClosed extends OfTask<'task_stdin_closed'> {
  actor: Actor;
}

export interface ToolOutput extends OfTask<'tool_stdout' | 'tool_stderr'> {
  chunk: string;
  task_seq: number;
}

/** A session's counters after the frame. */
export interface SessionProgress {
  tasks_started: number;
  tasks_ended: number;
  mailbox_items: number;
  mailbox_acknowledged: number;
  mailbox_from_seq: number;
  /** Whether the session has a webhook; absent if it never had one, with the rest. */
  webhook?: boolean;
  webhook_items?: number;
  webhook_from_seq?: number;
  dead_letters?: number;
  dead_letters_from_seq?: number;
}

/** The first version had only outcome, exit code and seq. */
export interface ToolEnded extends OfTask<'tool_ended'>, Partial<SessionProgress> {
  outcome: Outcome;
  exit_code: number | null;
  task_seq: number;
  tool_id?: string;
  name?: string | null;
  duration_ms?: number | null;
  error?: string | null;
  title?: string | null;
  label?: string | null;
}

/** The end of a run of an agent task, or of a task that does not notify of its end. */
export interface SessionTaskEnded extends OfTask<'session_task_ended'>, SessionProgress {
  tool_name: string;
  run: number;
  outcome: Outcome;
  exit_code: number | null;
  task_seq: number;
  duration_ms: number | null;
  error: string | null;
  title: string | null;
  label: string | null;
  result: string | null;
  /** Whether this is a mailbox item. */
  notify: boolean;
}

export interface SessionStarted extends Envelope, SessionProgress {
  type: 'session_started';
  actor: Actor;
}

export interface SessionTaskStarted extends OfTask<'session_task_started'>, SessionProgress {
  tool_name: string;
  title: string | null;
  label: string | null;
}

export interface SessionWatcherHit extends OfTask<'session_watcher_hit'>, SessionProgress {
  watcher_id: string;
  event: string;
  stream: Channel;
  offset_bytes: number;
  matched: string;
  task_seq: number;
  /** For several matches; absent for one. */
  count?: number;
  last_task_seq?: number;
}

export interface SessionAcknowledged extends Envelope, SessionProgress {
  type: 'session_acknowledged';
  through_seq: number;
  actor: Actor;
}

export interface SessionEnded extends Envelope, SessionProgress {
  type: 'session_ended';
  reason: string | null;
  actor: Actor;
}

export interface SessionWebhookSet extends Envelope, SessionProgress {
  type: 'session_webhook_set';
  target: string | null;
  rule: string | null;
  actor: Actor;
}

export interface SessionWebhookDelivery extends Envelope, SessionProgress {
  type: 'session_webhook_delivery';
  item_seq: number;
  result: 'delivered' | 'dead' | 'again';
  attempts: number;
  http_status: number | null;
  error: string | null;
  actor: Actor;
}

export type TaskFrame =
  | ToolTaskSpawned
  | ToolTaskStatus
  | ToolTaskOutputDelta
  | ToolTaskOutputGap
  | ToolTaskStdinWritten
  | ToolTaskResized
  | ToolTaskSignalled
  | ToolTaskCancelRequested
  | ToolTaskCancelled
  | ArtifactWritten
  | TaskPolicyVerdict
  | TaskQueued
  | TaskWatcherAdded
  | TaskWatcherHit
  | TaskTurnStarted
  | TaskTurnSettled
  | TaskUsage
  | TaskResourceUsage
  | TaskRunStarted
  | TaskScreenKeyframe
  | TaskNotice
  | TaskCleared
  | TaskPinned
  | TaskAgentOpened
  | TaskAgentMessage
  | TaskAgentToolCall
  | TaskAgentPlan
  | TaskWoke
  | TaskStdinClosed;

export type SessionFrame =
  | ToolOutput
  | ToolEnded
  | SessionStarted
  | SessionTaskStarted
  | SessionWatcherHit
  | SessionAcknowledged
  | SessionEnded
  | SessionWebhookSet
  | SessionWebhookDelivery
  | SessionTaskEnded;
export type KnownFrame = TaskFrame | SessionFrame;

/** A frame of an unknown type: kept word for word; it changes nothing. */
export interface UnknownFrame extends Envelope {
  type: string;
  [field: string]: Json;
}

/** Distinguishes known from unknown frames, which TypeScript's narrowing by `type` cannot. */
export type Frame = { known: true; frame: KnownFrame } | { known: false; frame: UnknownFrame };

export type FailureCode = 'ILLEGAL_FRAME' | 'MALFORMED_FRAME';

/** A refusal: its code is for programs, its message for people. */
export class Failure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
  }
}
