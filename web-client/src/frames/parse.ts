import {
  AFTER_TURNS,
  AGENT_PROTOCOLS,
  AGENT_ROLES,
  CALL_STATUSES,
  CAUSES,
  CHANNELS,
  CONTAINMENTS,
  KEEPS,
  ON_LOSTS,
  RECORD_INPUTS,
  Failure,
  MODES,
  OUTCOMES,
  PHASES,
  RUN_KINDS,
  STREAM_KINDS,
  TURN_KINDS,
  VERDICTS,
  WATCH_SCOPES,
  type Frame,
  type Json,
  type KnownFrame,
  type UnknownFrame,
} from './frames';

type Members = { [name: string]: Json };
type Check = (value: Json | undefined, where: string) => void;
type Fields = { [name: string]: Check };

const STREAM_ID = /^[A-Za-z0-9][A-Za-z0-9._:@-]*$/;
const STREAM_ID_CHARS = 128;
const SHOWN_CHARS = 100;

function malformed(message: string): Failure {
  return new Failure('MALFORMED_FRAME', message);
}

function shown(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS)}…`;
}

function must(holds: boolean, where: string, what: string, value: Json | undefined): void {
  if (!holds) throw malformed(`${where} must be ${what}, but is ${shown(value)}`);
}

function isObject(value: Json | undefined): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const text: Check = (value, where) => must(typeof value === 'string', where, 'a string', value);

const whole: Check = (value, where) => {
  must(typeof value === 'number' && Number.isInteger(value), where, 'a whole number', value);
  const name = where.slice(where.lastIndexOf('.') + 1);
  if ((value as number) < 0) throw malformed(`frame: ${name} is 0 or more, not ${String(value)}`);
  if (!Number.isSafeInteger(value)) {
    throw malformed(`frame: ${name} is at most ${String(Number.MAX_SAFE_INTEGER)}, not ${String(value)}`);
  }
};

const small: Check = (value, where) => {
  whole(value, where);
  must((value as number) < 2 ** 31, where, 'a whole number of 32 bits', value);
};

const flag: Check = (value, where) => must(typeof value === 'boolean', where, 'true or false', value);

const object: Check = (value, where) => must(isObject(value), where, 'an object', value);

const actor: Check = (value, where) => {
  text(value, where);
  if (!/^(server|reaper|policy|program|user:[^]*\S[^]*)$/.test(value as string)) {
    throw malformed(`frame: An actor is user:ID, server, reaper, policy or program, not ${shown(value)}`);
  }
};

function oneOf(words: readonly string[]): Check {
  return (value, where) =>
    must(typeof value === 'string' && words.includes(value), where, `one of ${words.join(', ')}`, value);
}

/** Absent optional fields are null; a missing one is read as null. */
function optional(check: Check): Check {
  return (value, where) => {
    if (value !== undefined && value !== null) check(value, where);
  };
}

function members(fields: Fields): Check {
  return (value, where) => {
    object(value, where);
    for (const [name, check] of Object.entries(fields)) {
      check((value as Members)[name], `${where}.${name}`);
    }
  };
}

function objects(fields: Fields): Check {
  return (value, where) => {
    must(Array.isArray(value) && value.every(isObject), where, 'an array of objects', value);
    (value as Json[]).forEach((element, index) => members(fields)(element, `${where}[${String(index)}]`));
  };
}

const logRef = members({ id: text, path: text });
const logEnd = members({ id: text, path: text, bytes_total: whole, bytes_stored: whole, error: optional(text), digest: optional(text) });
const logEnds = members({
  logs: members({ stdout: optional(logEnd), stderr: optional(logEnd), pty: optional(logEnd) }),
});
const refused = members({
  tool_name: text,
  args: object,
  cwd: optional(text),
  title: optional(text),
  execution_mode: oneOf(MODES),
  origin_session_id: optional(text),
  label: optional(text),
  actor,
  rule: optional(text),
});
const output: Fields = { task_id: text, chunk: text, task_seq: whole };
const progress: Fields = {
  tasks_started: whole,
  tasks_ended: whole,
  mailbox_items: whole,
  mailbox_acknowledged: whole,
  mailbox_from_seq: whole,
  webhook: optional(flag),
  webhook_items: optional(whole),
  webhook_from_seq: optional(whole),
  dead_letters: optional(whole),
  dead_letters_from_seq: optional(whole),
};
const channel = oneOf(CHANNELS);

const FIELDS: { [T in KnownFrame['type']]: Fields } = {
  tool_task_spawned: {
    execution_mode: oneOf(MODES),
    tool_name: text,
    args: object,
    cwd: optional(text),
    title: optional(text),
    origin_session_id: optional(text),
    artifacts: members({ logs: object, artifact_max_bytes: optional(whole), max_bytes: optional(whole) }),
    actor,
    containment: optional(oneOf(CONTAINMENTS)),
    label: optional(text),
    record_input: optional(oneOf(RECORD_INPUTS)),
    keep: optional(oneOf(KEEPS)),
    on_lost: optional(oneOf(ON_LOSTS)),
    stdin_open: optional(flag),
    links: optional(
      members({
        parent_task_id: optional(text),
        depth: small,
        batch: optional(text),
        notify: flag,
        on_end: optional(members({ resume: text, message: text })),
      }),
    ),
    agent: optional(
      members({
        profile: text,
        protocol: oneOf(AGENT_PROTOCOLS),
        model: optional(text),
        thinking: optional(text),
        after_turn: oneOf(AFTER_TURNS),
      }),
    ),
  },
  tool_task_status: {
    phase: oneOf(PHASES),
    outcome: optional(oneOf(OUTCOMES)),
    exit_code: optional(small),
    signal: optional(small),
    started_at_ms: optional(whole),
    ended_at_ms: optional(whole),
    artifacts: optional(logEnds),
    error: optional(text),
    question: optional(text),
    cause: oneOf(CAUSES),
    actor,
    refused: optional(refused),
  },
  tool_task_output_delta: {
    stream: channel,
    artifacts: members({
      log: members({
        offset_bytes: whole,
        bytes: small,
        bytes_stored: whole,
        first_line: optional(whole),
        lines: optional(small),
        removed: optional(flag),
      }),
    }),
    chunk: optional(text),
    chunk_bytes: optional(small),
    chunk_truncated: optional(flag),
  },
  tool_task_output_gap: { stream: channel, offset_bytes: whole, bytes: whole, reason: text },
  tool_task_stdin_written: { bytes: small, chunk_b64: optional(text), actor },
  tool_task_resized: { rows: small, cols: small, actor },
  tool_task_signalled: { signal: text, actor },
  tool_task_cancel_requested: { reason: optional(text), cause: oneOf(CAUSES), actor },
  tool_task_cancelled: { reason: optional(text), wall_time_ms: whole },
  artifact_written: { artifact_id: text, kind: text, bytes: whole, digest: text, preview: optional(text) },
  task_policy_verdict: {
    operation: text,
    verdict: oneOf(VERDICTS),
    rule: text,
    reason: optional(text),
    asked_by: actor,
    budgets: optional(members({ time_ms: optional(whole), output_bytes: optional(whole), events: optional(whole) })),
    answered_by: optional(actor),
  },
  task_queued: { lane: text, ahead: whole },
  task_watcher_added: {
    watcher_id: text,
    regex: text,
    event: text,
    stream: optional(channel),
    once: flag,
    scope: oneOf(WATCH_SCOPES),
    actor,
  },
  task_watcher_hit: {
    watcher_id: text,
    event: text,
    stream: channel,
    offset_bytes: whole,
    bytes: small,
    matched: text,
    frame_seq: whole,
  },
  task_turn_started: { turn: small, kind: oneOf(TURN_KINDS), prompt: text, prompt_id: optional(text), actor },
  task_turn_settled: { turn: small, stop_reason: text, result: optional(text) },
  task_usage: { input_tokens: whole, output_tokens: whole, cost_micro_usd: whole },
  task_resource_usage: {
    cpu_ms: whole,
    cpu_percent: small,
    over_ms: whole,
    memory_bytes: whole,
    memory_peak_bytes: whole,
    processes: small,
  },
  task_run_started: { run: small, kind: oneOf(RUN_KINDS), actor },
  task_screen_keyframe: { artifact_id: text, pty_offset: whole, rows: small, cols: small },
  task_notice: { code: text, message: text },
  task_cleared: { actor },
  task_pinned: { pinned: flag, actor },
  task_agent_opened: {
    agent_session_id: text,
    loaded: flag,
    can_load: flag,
    agent_name: optional(text),
    agent_version: optional(text),
  },
  task_agent_message: { turn: small, role: oneOf(AGENT_ROLES), message_id: optional(text), text },
  task_agent_tool_call: {
    turn: small,
    call_id: text,
    name: optional(text),
    title: optional(text),
    call_status: optional(oneOf(CALL_STATUSES)),
    input: optional(text),
    output: optional(text),
    child_task_id: optional(text),
  },
  task_agent_plan: { turn: small, entries: objects({ content: text, status: text }) },
  task_woke: { woken_task_id: text, error: optional(text) },
  task_stdin_closed: { actor },
  tool_stdout: output,
  tool_stderr: output,
  tool_ended: {
    task_id: text,
    outcome: oneOf(OUTCOMES),
    exit_code: optional(small),
    task_seq: whole,
    tool_id: optional(text),
    name: optional(text),
    duration_ms: optional(whole),
    error: optional(text),
    title: optional(text),
    label: optional(text),
  },
  session_started: { actor, ...progress },
  session_task_started: {
    task_id: text,
    tool_name: text,
    title: optional(text),
    label: optional(text),
    ...progress,
  },
  session_watcher_hit: {
    task_id: text,
    watcher_id: text,
    event: text,
    stream: channel,
    offset_bytes: whole,
    matched: text,
    task_seq: whole,
    count: optional(whole),
    last_task_seq: optional(whole),
    ...progress,
  },
  session_acknowledged: { through_seq: whole, actor, ...progress },
  session_ended: { reason: optional(text), actor, ...progress },
  session_webhook_set: { target: optional(text), rule: optional(text), actor, ...progress },
  session_webhook_delivery: {
    item_seq: whole,
    result: oneOf(['delivered', 'dead', 'again']),
    attempts: small,
    http_status: optional(small),
    error: optional(text),
    actor,
    ...progress,
  },
  session_task_ended: {
    task_id: text,
    tool_name: text,
    run: small,
    outcome: oneOf(OUTCOMES),
    exit_code: optional(small),
    task_seq: whole,
    duration_ms: optional(whole),
    error: optional(text),
    title: optional(text),
    label: optional(text),
    result: optional(text),
    notify: flag,
    ...progress,
  },
};

const isOfSession = (type: string) => type.startsWith('session_') || ['tool_stdout', 'tool_stderr', 'tool_ended'].includes(type);

function isKnown(type: string): type is KnownFrame['type'] {
  return Object.hasOwn(FIELDS, type);
}

/** Reads one frame; throws a {@link Failure} if it is malformed. The limits of single fields are checked by the server. */
export function parseFrame(line: string): Frame {
  let value: Json;
  try {
    value = JSON.parse(line) as Json;
  } catch (error) {
    throw malformed(`frame: Not JSON: ${(error as Error).message}`);
  }
  return readFrame(value);
}

export function readFrame(frame: Json): Frame {
  if (!isObject(frame)) throw malformed(`A frame is a JSON object, not ${shown(frame)}`);
  const { stream_id: streamId, type, seq } = frame;
  oneOf(STREAM_KINDS)(frame['stream_kind'], 'frame.stream_kind');
  text(streamId, 'frame.stream_id');
  if (!STREAM_ID.test(streamId as string) || (streamId as string).length > STREAM_ID_CHARS) {
    throw malformed(`frame: A stream id starts with a letter or digit, unlike ${shown(streamId)}`);
  }
  text(type, 'frame.type');
  const known = isKnown(type as string);
  if (known) fields(frame, type as KnownFrame['type']);
  whole(seq, 'frame.seq');
  whole(frame['timestamp_ms'], 'frame.timestamp_ms');
  agrees(frame, 'id', `${String(streamId)}/${String(seq)}`);
  agrees(frame, 'session_id', streamId as string);
  return known
    ? { known: true, frame: frame as unknown as KnownFrame }
    : { known: false, frame: frame as unknown as UnknownFrame };
}

function fields(frame: Members, type: KnownFrame['type']): void {
  const ofSession = isOfSession(type);
  for (const [name, check] of Object.entries(FIELDS[type])) {
    check(frame[name], `frame.${name}`);
  }
  if (type === 'tool_task_spawned') {
    const logs = (frame['artifacts'] as Members)['logs'] as Members;
    for (const name of frame['execution_mode'] === 'pty' ? ['pty'] : ['stdout', 'stderr']) {
      logRef(logs[name], `frame.artifacts.logs.${name}`);
    }
  }
  if (ofSession !== (frame['stream_kind'] === 'session')) {
    throw new Failure(
      'ILLEGAL_FRAME',
      `A ${type} frame does not belong in the stream of ${String(frame['stream_kind'])} ${String(frame['stream_id'])}`,
    );
  }
  if (!ofSession) agrees(frame, 'task_id', frame['stream_id'] as string);
}

function agrees(frame: Members, name: string, expected: string): void {
  const value = frame[name];
  if (value === undefined || value === null) return;
  text(value, `frame.${name}`);
  must(value === expected, `frame.${name}`, `"${expected}", to agree with the other fields`, value);
}
