import {
  CHANNELS,
  Failure,
  type Channel,
  type Frame,
  type LogEnds,
  type Outcome,
  type Spec,
  type TaskAgentToolCall,
  type TaskFrame,
  type TaskLinks,
  type TaskTurnSettled,
  type TaskTurnStarted,
  type TaskUsage,
  type TaskWatcherHit,
  type ToolTaskOutputDelta,
  type ToolTaskOutputGap,
  type ToolTaskSpawned,
  type ToolTaskStatus,
} from './frames';
import { ABSENT, MAY_BECOME, mayHaveProgram, runNumber, type AgentState, type RunState, type TaskState } from './state';

const NO_LINKS: TaskLinks = { parent_task_id: null, depth: 0, batch: null, notify: true, on_end: null };
const RECENT_TOOLS = 5;
const LATEST_CHARS = 200;

/** The state after all of these frames: the mirror of TaskFold, with the same sentences for refusals. */
export function fold(frames: Iterable<Frame>, from: TaskState = ABSENT): TaskState {
  let state = from;
  for (const frame of frames) state = after(state, frame);
  return state;
}

/** The state after one more frame; throws a {@link Failure} if the frame is illegal here. Never changes the given state. */
export function after(state: TaskState, { known, frame }: Frame): TaskState {
  const refuse: Refuse = (why) => {
    const phase = frame.type === 'tool_task_status' ? ` (${String((frame as ToolTaskStatus).phase)})` : '';
    return new Failure(
      'ILLEGAL_FRAME',
      `Frame ${String(frame.seq)} of ${frame.stream_kind} ${frame.stream_id}, ${frame.type}${phase},` +
        ` cannot follow in phase ${state.phase}: ${why}`,
    );
  };
  if (frame.seq !== state.next_seq) throw refuse(`the next seq is ${String(state.next_seq)}`);
  if (frame.stream_kind !== 'task') throw refuse('the frame belongs to a session');
  const next = known ? change(state, frame as TaskFrame, refuse) : state;
  return { ...next, next_seq: state.next_seq + 1 };
}

type Refuse = (why: string) => Failure;

function change(state: TaskState, frame: TaskFrame, refuse: Refuse): TaskState {
  if (state.phase === 'absent' && frame.type !== 'tool_task_spawned' && frame.type !== 'tool_task_status') {
    throw refuse('a stream begins with tool_task_spawned, or with the status of a refusal');
  }
  switch (frame.type) {
    case 'tool_task_spawned':
      if (state.phase !== 'absent') throw refuse('a task is spawned once');
      return { ...state, phase: 'queued', spec: specOf(frame) };
    case 'tool_task_status':
      return status(state, frame, refuse);
    case 'tool_task_output_delta':
      return delta(state, frame, refuse);
    case 'tool_task_output_gap':
      return gap(state, frame, refuse);
    case 'tool_task_stdin_written':
      requireInput(state, refuse);
      return state;
    case 'task_stdin_closed':
      requireInput(state, refuse);
      if (state.spec?.execution_mode !== 'pipes') throw refuse("a terminal's input is not closed");
      return { ...state, run: { ...state.run, input_closed: true } };
    case 'tool_task_resized':
      requireTerminal(state, refuse);
      return { ...state, rows: frame.rows, cols: frame.cols };
    case 'tool_task_signalled':
      if (!mayHaveProgram(state)) throw refuse('no program runs');
      return state;
    case 'tool_task_cancel_requested': {
      if (state.phase === 'stopping' || state.phase === 'ended') throw refuse('a run is stopped only once');
      const { reason, cause, actor } = frame;
      const { number, started_at_ms, input_closed, artifacts } = state.run;
      const stop = { reason, cause, actor };
      const run = { ...runNumber(number), started_at_ms, stop, input_closed, cause, actor, artifacts };
      return { ...state, phase: 'stopping', run };
    }
    case 'tool_task_cancelled':
      if (state.phase !== 'stopping' || state.run.stopped) throw refuse('it must follow exactly one tool_task_cancel_requested');
      return { ...state, run: { ...state.run, stopped: true } };
    case 'task_turn_started':
      return turnStarted(state, frame, refuse);
    case 'task_turn_settled':
      return turnSettled(state, frame, refuse);
    case 'task_run_started': {
      const lost = frame.kind === 'recover' && state.phase !== 'stopping';
      if (state.phase !== 'ended' && !lost) throw refuse('a new run begins only after the previous one has ended');
      if (state.spec === null) throw refuse('the spawn was refused, so there is nothing to run again');
      if (state.cleared) throw refuse('the task was cleared');
      const next = state.run.number + 1;
      if (frame.run !== next) throw refuse(`the next run is number ${String(next)}`);
      return { ...state, phase: 'queued', run: runNumber(next), running_turn: null };
    }
    case 'task_usage':
      notAfterTheEnd(state, refuse);
      return used(state, frame, refuse);
    case 'task_resource_usage':
      if (!mayHaveProgram(state)) throw refuse('no program runs');
      return state;
    case 'task_cleared':
      if (state.phase !== 'ended') throw refuse('only a task that has ended is cleared');
      if (state.cleared) throw refuse('a task is cleared once');
      return { ...state, cleared: true };
    case 'task_pinned':
      if (frame.pinned === state.pinned) {
        throw refuse(state.pinned ? 'the task is pinned already' : 'the task is not pinned');
      }
      return { ...state, pinned: frame.pinned };
    case 'task_queued':
      if (state.phase !== 'queued') throw refuse('only a task in phase queued waits in a lane');
      return state;
    case 'task_watcher_added':
      notAfterTheEnd(state, refuse);
      return state;
    case 'task_watcher_hit':
      notAfterTheEnd(state, refuse);
      watcherHit(state, frame, refuse);
      return state;
    case 'task_screen_keyframe':
      notAfterTheEnd(state, refuse);
      requireMode(state, refuse);
      if (frame.pty_offset > state.output.pty_total) throw refuse('it shows more than the output so far');
      return state;
    case 'task_agent_opened': {
      if (state.phase !== 'running') throw refuse('no program runs');
      requireAgent(state, refuse);
      const { agent_session_id: session_id, can_load } = frame;
      // A program that stays has settled as soon as its conversation is open: its first turn may be long in coming.
      const waits = state.running_turn === null && state.spec?.agent?.after_turn === 'stay';
      const agent = { ...state.agent, session_id, can_load, updated_at_ms: frame.timestamp_ms };
      return { ...state, phase: waits ? 'idle' : state.phase, agent };
    }
    case 'task_agent_message': {
      requireTurn(state, frame.turn, refuse);
      const latest = frame.role === 'assistant' ? endOf(frame.text) : state.agent.latest;
      return { ...state, agent: { ...state.agent, latest, updated_at_ms: frame.timestamp_ms } };
    }
    case 'task_agent_tool_call':
      requireTurn(state, frame.turn, refuse);
      return { ...state, agent: { ...toolCall(state.agent, frame), updated_at_ms: frame.timestamp_ms } };
    case 'task_agent_plan':
      requireTurn(state, frame.turn, refuse);
      return { ...state, agent: { ...state.agent, updated_at_ms: frame.timestamp_ms } };
    case 'task_woke':
      if (state.spec?.links.on_end?.resume !== frame.woken_task_id) throw refuse('the spawn names no such agent to wake');
      if (state.phase !== 'ended') throw refuse('only the end of a run wakes an agent');
      if (state.run.woke) throw refuse('the end of a run wakes an agent once');
      return { ...state, run: { ...state.run, woke: true } };
    case 'artifact_written':
    case 'task_policy_verdict':
      notAfterTheEnd(state, refuse);
      return state;
    case 'task_notice':
      if (frame.code !== 'result_retrieved') notAfterTheEnd(state, refuse);
      return state;
  }
}

function specOf(frame: ToolTaskSpawned): Spec {
  const { tool_name, args, cwd, title, execution_mode, origin_session_id, artifacts, actor } = frame;
  const { containment = null, label = null, record_input = null, keep = null, on_lost = null } = frame;
  const added = {
    ...{ containment, label, record_input, keep, on_lost },
    ...{ stdin_open: frame.stdin_open ?? false, links: frame.links ?? NO_LINKS, agent: frame.agent ?? null },
  };
  return { tool_name, args, cwd, title, execution_mode, origin_session_id, artifacts, actor, ...added };
}

function status(state: TaskState, frame: ToolTaskStatus, refuse: Refuse): TaskState {
  if (!MAY_BECOME[state.phase].includes(frame.phase)) throw refuse('a status cannot lead from this phase to that one');
  const backBeforeStart = state.phase === 'awaiting_input' && (frame.phase === 'queued' || frame.phase === 'starting');
  if (backBeforeStart && state.run.started_at_ms !== null) {
    throw refuse('the program of this run has already been started');
  }
  const started = state.run.started_at_ms;
  if (started !== null && frame.started_at_ms !== null && started !== frame.started_at_ms) {
    throw refuse(`the run started at ${String(started)}, not at ${String(frame.started_at_ms)}`);
  }
  if (frame.outcome !== null) {
    if (state.phase === 'absent' && frame.outcome !== 'failed') {
      throw refuse('without a spec the spawn was refused, so the outcome must be failed');
    }
    if (frame.outcome === 'succeeded' && frame.exit_code === null && (state.spec?.agent ?? null) === null) {
      throw refuse('only the run of an agent succeeds without an exit code');
    }
    logEnds(state, frame, refuse);
    outcome(state.run, frame.outcome, refuse);
  }
  const run: RunState = {
    number: state.run.number,
    started_at_ms: frame.started_at_ms ?? state.run.started_at_ms,
    ended_at_ms: frame.ended_at_ms,
    stop: state.run.stop,
    stopped: state.run.stopped,
    input_closed: state.run.input_closed,
    woke: state.run.woke,
    question: frame.question,
    outcome: frame.outcome,
    exit_code: frame.exit_code,
    signal: frame.signal,
    error: frame.error,
    cause: frame.cause,
    actor: frame.actor,
    artifacts: frame.artifacts === null ? null : { logs: endsOf(frame.artifacts.logs) },
  };
  // Denials from before rules were recorded have none.
  const refused = frame.refused == null ? null : { ...frame.refused, rule: frame.refused.rule ?? null };
  if (refused !== null && state.phase !== 'absent') throw refuse('the spawn was accepted, not refused');
  const running_turn = frame.phase === 'ended' ? null : state.running_turn;
  return { ...state, phase: frame.phase, run, running_turn, refused: refused ?? state.refused };
}

/** Frames from before digests were recorded have none. */
function endsOf(logs: LogEnds['logs']): LogEnds['logs'] {
  return Object.fromEntries(Object.entries(logs).map(([name, end]) => [name, { ...end, digest: end.digest ?? null }]));
}

function outcome(run: RunState, said: Outcome, refuse: Refuse): void {
  if (said === 'lost') return;
  if (run.stop !== null && run.stopped) {
    const expected = run.stop.cause === 'timeout' ? 'timed_out' : 'cancelled';
    if (said !== expected) throw refuse(`tool_task_cancelled was recorded, so the outcome is ${expected}`);
  } else if (said === 'cancelled' || said === 'timed_out') {
    throw refuse('tool_task_cancelled is missing, which records that the stop was carried out');
  }
}

function logEnds(state: TaskState, frame: ToolTaskStatus, refuse: Refuse): void {
  for (const channel of CHANNELS) {
    const end = frame.artifacts?.logs[channel];
    if (end === undefined) continue;
    const log = state.spec?.artifacts.logs[channel];
    if (log === undefined || log.id !== end.id || log.path !== end.path) {
      throw refuse(`the log of ${channel} is not in the spec`);
    }
    const total = state.output[`${channel}_total`];
    if (end.bytes_total < total) {
      throw refuse(`${channel} had ${String(total)} bytes, not only ${String(end.bytes_total)}`);
    }
  }
}

function delta(state: TaskState, frame: ToolTaskOutputDelta, refuse: Refuse): TaskState {
  if (!mayHaveProgram(state)) throw refuse('no program runs');
  const channel = frame.stream;
  requireChannel(state, channel, refuse);
  const total = state.output[`${channel}_total`];
  const { offset_bytes, bytes, bytes_stored } = frame.artifacts.log;
  if (offset_bytes !== total) {
    throw refuse(`${channel} continues at offset ${String(total)}, not at ${String(offset_bytes)}`);
  }
  if (bytes_stored < state.output[`${channel}_stored`]) throw refuse('the stored length never shrinks');
  const output = { ...state.output, [`${channel}_total`]: offset_bytes + bytes, [`${channel}_stored`]: bytes_stored };
  return { ...state, output };
}

function gap(state: TaskState, { stream: channel, offset_bytes, bytes }: ToolTaskOutputGap, refuse: Refuse): TaskState {
  notAfterTheEnd(state, refuse);
  requireChannel(state, channel, refuse);
  const stored = state.output[`${channel}_stored`];
  if (offset_bytes !== stored) {
    throw refuse(`${channel} is stored up to offset ${String(stored)}, not up to ${String(offset_bytes)}`);
  }
  const total = state.output[`${channel}_total`];
  if (offset_bytes + bytes > total) throw refuse(`the gap ends beyond the ${String(total)} bytes of ${channel}`);
  return { ...state, output: { ...state.output, [`${channel}_stored`]: offset_bytes + bytes } };
}

function turnStarted(state: TaskState, frame: TaskTurnStarted, refuse: Refuse): TaskState {
  const steers = frame.kind === 'steer' || frame.kind === 'follow_up';
  if (state.phase !== 'idle' && !(state.phase === 'running' && (steers || state.running_turn === null))) {
    const when = steers ? 'while it is idle or running' : 'while no turn is running';
    throw refuse(`an agent takes a ${frame.kind} ${when}`);
  }
  const next = state.turns + 1;
  if (frame.turn !== next) throw refuse(`the next turn is number ${String(next)}`);
  const resumes = state.agent.resumes + (frame.kind === 'resume' ? 1 : 0);
  const agent = { ...state.agent, resumes, updated_at_ms: frame.timestamp_ms };
  return { ...state, phase: 'running', turns: next, running_turn: frame.kind, agent };
}

function turnSettled(state: TaskState, frame: TaskTurnSettled, refuse: Refuse): TaskState {
  if (state.running_turn === null) throw refuse('no turn is running');
  if (state.phase === 'awaiting_input') throw refuse('the question is still open: a status must close it first');
  if (frame.turn !== state.turns) throw refuse(`the running turn is number ${String(state.turns)}`);
  const phase = state.phase === 'stopping' ? 'stopping' : 'idle';
  const agent = { ...state.agent, updated_at_ms: frame.timestamp_ms };
  return { ...state, phase, running_turn: null, result: frame.result ?? state.result, agent };
}

/** Only the first frame of a call is pending. */
function toolCall(agent: AgentState, { call_status, name, title }: TaskAgentToolCall): AgentState {
  if (call_status !== 'pending') return agent;
  const tool = name ?? title;
  const shown = title ?? tool;
  const recent = tool === null ? agent.recent_tools : [beginningOf(tool), ...agent.recent_tools];
  return {
    ...agent,
    tool_calls: agent.tool_calls + 1,
    recent_tools: recent.slice(0, RECENT_TOOLS),
    latest: shown === null ? agent.latest : beginningOf(shown),
  };
}

/** The end of a longer text, never half of a surrogate pair. */
function endOf(text: string): string {
  const from = Math.max(0, text.length - LATEST_CHARS);
  return text.slice(from > 0 && /^[\udc00-\udfff]/.test(text.slice(from)) ? from + 1 : from);
}

/** The beginning of a longer name or title, never half of a surrogate pair. */
function beginningOf(text: string): string {
  const shown = text.slice(0, LATEST_CHARS);
  return shown.length < text.length && /[\ud800-\udbff]$/.test(shown) ? shown.slice(0, -1) : shown;
}

function used(state: TaskState, frame: TaskUsage, refuse: Refuse): TaskState {
  const input_tokens = state.input_tokens + frame.input_tokens;
  const output_tokens = state.output_tokens + frame.output_tokens;
  const cost_micro_usd = state.cost_micro_usd + frame.cost_micro_usd;
  if (Math.max(input_tokens, output_tokens, cost_micro_usd) > Number.MAX_SAFE_INTEGER) {
    throw refuse('the total usage exceeds the largest number that a frame can have');
  }
  return { ...state, input_tokens, output_tokens, cost_micro_usd };
}

function watcherHit(state: TaskState, frame: TaskWatcherHit, refuse: Refuse): void {
  requireChannel(state, frame.stream, refuse);
  const total = state.output[`${frame.stream}_total`];
  if (frame.offset_bytes + frame.bytes > total) {
    throw refuse(`it matched beyond the ${String(total)} bytes of ${frame.stream}`);
  }
  if (frame.frame_seq >= frame.seq) throw refuse('frame_seq must name an earlier frame');
}

function requireChannel(state: TaskState, channel: Channel, refuse: Refuse): void {
  if (state.spec === null || (state.spec.execution_mode === 'pty') !== (channel === 'pty')) {
    throw refuse(`the task has no channel ${channel}`);
  }
}

function requireInput(state: TaskState, refuse: Refuse): void {
  if (!mayHaveProgram(state)) throw refuse('no program runs');
  if (state.spec?.execution_mode !== 'pty' && state.spec?.stdin_open !== true) throw refuse('the task has no input');
  if (state.run.input_closed) throw refuse('the input was closed');
}

function requireAgent(state: TaskState, refuse: Refuse): void {
  if ((state.spec?.agent ?? null) === null) throw refuse('the task has no agent');
}

function requireTurn(state: TaskState, turn: number, refuse: Refuse): void {
  requireAgent(state, refuse);
  if (!mayHaveProgram(state)) throw refuse('no program runs');
  if (turn !== state.turns) throw refuse(`the latest turn is number ${String(state.turns)}`);
}

function requireTerminal(state: TaskState, refuse: Refuse): void {
  if (!mayHaveProgram(state)) throw refuse('no program runs');
  requireMode(state, refuse);
}

function requireMode(state: TaskState, refuse: Refuse): void {
  if (state.spec?.execution_mode !== 'pty') throw refuse('only a task in mode pty has a terminal');
}

function notAfterTheEnd(state: TaskState, refuse: Refuse): void {
  if (state.phase === 'ended') throw refuse('the run has ended');
}
