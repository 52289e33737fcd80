import type { Actor, Cause, LogEnds, Outcome, Phase, RefusedSpawn, Spec, StopRequest, TurnKind } from './frames';

/** A task's current run. */
export interface RunState {
  readonly number: number;
  readonly started_at_ms: number | null;
  readonly ended_at_ms: number | null;
  readonly stop: StopRequest | null;
  readonly stopped: boolean;
  /** Whether the input of a task on pipes was closed. */
  readonly input_closed: boolean;
  /** Whether its end has woken the agent that the spawn names, or tried to. */
  readonly woke: boolean;
  readonly question: string | null;
  readonly outcome: Outcome | null;
  readonly exit_code: number | null;
  readonly signal: number | null;
  readonly error: string | null;
  readonly cause: Cause | null;
  readonly actor: Actor | null;
  readonly artifacts: LogEnds | null;
}

export interface OutputTotals {
  readonly stdout_total: number;
  readonly stdout_stored: number;
  readonly stderr_total: number;
  readonly stderr_stored: number;
  readonly pty_total: number;
  readonly pty_stored: number;
}

/** What the frames of an agent task say about its agent. */
export interface AgentState {
  /** The program's name of the conversation; null before it is open. */
  readonly session_id: string | null;
  readonly can_load: boolean;
  readonly resumes: number;
  readonly tool_calls: number;
  /** The newest tools, the last first. */
  readonly recent_tools: readonly string[];
  /** The newest thing that it said or did, shortened. */
  readonly latest: string | null;
  readonly updated_at_ms: number | null;
}

/** The result of folding a task's frames: the mirror of the Java record, with the same members as its JSON. */
export interface TaskState {
  readonly next_seq: number;
  readonly phase: Phase;
  readonly spec: Spec | null;
  /** The request, if the spawn was refused. */
  readonly refused: RefusedSpawn | null;
  readonly run: RunState;
  readonly output: OutputTotals;
  readonly turns: number;
  readonly running_turn: TurnKind | null;
  readonly result: string | null;
  readonly rows: number;
  readonly cols: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_micro_usd: number;
  readonly cleared: boolean;
  readonly pinned: boolean;
  readonly agent: AgentState;
}

export function runNumber(number: number): RunState {
  return {
    number,
    started_at_ms: null,
    ended_at_ms: null,
    stop: null,
    stopped: false,
    input_closed: false,
    woke: false,
    question: null,
    outcome: null,
    exit_code: null,
    signal: null,
    error: null,
    cause: null,
    actor: null,
    artifacts: null,
  };
}

/** The state before the first frame. */
export const ABSENT: TaskState = {
  next_seq: 0,
  phase: 'absent',
  spec: null,
  refused: null,
  run: runNumber(1),
  output: { stdout_total: 0, stdout_stored: 0, stderr_total: 0, stderr_stored: 0, pty_total: 0, pty_stored: 0 },
  turns: 0,
  running_turn: null,
  result: null,
  rows: 0,
  cols: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_micro_usd: 0,
  cleared: false,
  pinned: false,
  agent: {
    session_id: null,
    can_load: false,
    resumes: 0,
    tool_calls: 0,
    recent_tools: [],
    latest: null,
    updated_at_ms: null,
  },
};

/** Whether a program may be alive: not while a question of policy about a task that was not started waits for its answer. */
export function mayHaveProgram(state: TaskState): boolean {
  switch (state.phase) {
    case 'running':
    case 'idle':
    case 'stopping':
      return true;
    case 'awaiting_input':
      return state.run.started_at_ms !== null;
    case 'absent':
    case 'queued':
    case 'starting':
    case 'ended':
      return false;
  }
}

/** The phases that a status may change to, from each phase; other frames have their own rules. */
export const MAY_BECOME: { readonly [P in Phase]: readonly Phase[] } = {
  absent: ['ended'],
  queued: ['starting', 'running', 'awaiting_input', 'ended'],
  starting: ['running', 'ended'],
  running: ['awaiting_input', 'ended'],
  awaiting_input: ['queued', 'starting', 'running', 'ended'],
  idle: ['ended'],
  stopping: ['ended'],
  ended: [],
};
