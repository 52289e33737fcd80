/** A conversation: the items that an agent task's frames amount to. */

import type {
  Actor, CALL_STATUSES, Frame, KnownFrame, Phase, TaskAgentMessage, TaskAgentToolCall, ToolTaskStatus, TurnKind,
} from '../frames/frames';
import { sentenceOf } from '../ledger/sentences';

const MESSAGE_CHARS = 1_000_000; // kept of a message: more than a person reads
const CALL_CHARS = 100_000; // kept of the input and of the output of a tool call

/** Text that grows; beyond its limit it is only counted. */
export interface Text {
  text: string;
  more: number;
}

interface OfFrame {
  /** The first frame of the item. */
  readonly seq: number;
  readonly at: number;
}

export interface Turn extends OfFrame {
  readonly is: 'turn';
  readonly turn: number;
  readonly kind: TurnKind;
  readonly prompt: string;
  readonly actor: Actor;
}

export interface Message extends OfFrame {
  readonly is: 'message';
  readonly role: TaskAgentMessage['role'];
  readonly said: Text;
}

/** Of a call that had not completed when its run ended. */
export type CallState = (typeof CALL_STATUSES)[number] | 'unfinished';

export interface Call extends OfFrame {
  readonly is: 'call';
  name: string | null;
  title: string | null;
  state: CallState;
  readonly input: Text;
  readonly output: Text;
  child: string | null;
}

/** An event of the task, as its timeline says it. */
export interface Note extends OfFrame {
  readonly is: 'note';
  readonly text: string;
  readonly isTrouble: boolean;
  /** The task that it is about, if it is another one. */
  readonly href: string | undefined;
}

export type Item = Turn | Message | Call | Note;

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly microUsd: number;
}

/** The items of a conversation, and what holds for the whole. */
export class Conversation {
  readonly items: Item[] = [];
  /** Items that have changed since they were last drawn; drawing empties it. */
  readonly changed = new Set<Item>();
  plan: readonly { content: string; status: string }[] = [];
  usage: Usage | null = null;
  /** The open question of policy or of the agent. */
  question: string | null = null;
  phase: Phase = 'absent';
  /** Whether a later run can load the conversation; null if it is not known. */
  canLoad: boolean | null = null;
  /** The number of turns. */
  turns = 0;
  /** Tasks that carry out tool calls. */
  readonly children = new Set<string>();
  readonly #calls = new Map<string, Call>();
  readonly #messages = new Map<string, Message>();

  add({ known, frame }: Frame): void {
    if (!known) return;
    switch (frame.type) {
      case 'task_turn_started':
        this.turns = frame.turn;
        this.phase = 'running';
        this.#messages.clear();
        this.#put({ is: 'turn', ...of(frame), turn: frame.turn, kind: frame.kind, prompt: frame.prompt, actor: frame.actor });
        break;
      case 'task_turn_settled':
        this.phase = 'idle';
        this.#note(frame);
        break;
      case 'task_agent_message':
        this.#say(frame);
        break;
      case 'task_agent_tool_call':
        this.#call(frame);
        break;
      case 'task_agent_plan':
        this.plan = frame.entries;
        break;
      case 'task_usage':
        this.usage = {
          input: (this.usage?.input ?? 0) + frame.input_tokens,
          output: (this.usage?.output ?? 0) + frame.output_tokens,
          microUsd: (this.usage?.microUsd ?? 0) + frame.cost_micro_usd,
        };
        break;
      case 'task_agent_opened':
        this.canLoad = frame.can_load;
        this.#note(frame);
        break;
      case 'task_run_started':
        this.phase = 'queued';
        this.question = null;
        this.#endCalls();
        this.#note(frame);
        break;
      case 'tool_task_status':
        this.#status(frame);
        break;
      case 'tool_task_cancel_requested':
        this.phase = 'stopping';
        this.#note(frame);
        break;
      case 'task_policy_verdict':
        // What is asked is in the status, and what is simply allowed is done.
        if (frame.verdict === 'deny' || frame.answered_by != null) this.#note(frame);
        break;
      case 'task_notice':
      case 'task_woke':
        this.#note(frame);
        break;
      default: // the timeline has all frames
    }
  }

  #status(frame: ToolTaskStatus): void {
    this.phase = frame.phase;
    this.question = frame.phase === 'awaiting_input' ? frame.question : null;
    if (frame.phase === 'ended') this.#endCalls();
    if (frame.phase === 'ended' || this.question !== null) this.#note(frame);
  }

  /** Frames with the same id are one message; of a program that names none, those of one role between two tool calls. */
  #say({ role, message_id: id, text, ...frame }: TaskAgentMessage): void {
    const name = `${role} ${id ?? ''}`;
    let message = this.#messages.get(name);
    if (message === undefined) {
      message = { is: 'message', ...of(frame), role, said: { text: '', more: 0 } };
      this.#messages.set(name, message);
      this.#put(message);
    }
    grow(message.said, text, MESSAGE_CHARS);
    this.changed.add(message);
  }

  #call({ call_id, call_status: status, name, title, input, output, child_task_id: child, ...frame }: TaskAgentToolCall): void {
    let call = status === 'pending' ? undefined : this.#calls.get(call_id);
    if (call === undefined) {
      call = { is: 'call', ...of(frame), name: null, title: null, state: 'pending', input: empty(), output: empty(), child: null };
      this.#calls.set(call_id, call);
      for (const nameless of ['assistant ', 'thought ']) this.#messages.delete(nameless);
      this.#put(call);
    }
    call.name = name ?? call.name;
    call.title = title ?? call.title;
    call.state = status ?? call.state;
    call.child = child ?? call.child;
    if (call.child !== null) this.children.add(call.child);
    if (input !== null) Object.assign(call.input, empty());
    grow(call.input, input ?? '', CALL_CHARS);
    grow(call.output, output ?? '', CALL_CHARS);
    this.changed.add(call);
  }

  #endCalls(): void {
    for (const call of this.#calls.values()) {
      if (call.state !== 'pending' && call.state !== 'running') continue;
      call.state = 'unfinished';
      this.changed.add(call);
    }
    this.#calls.clear();
    this.#messages.clear();
  }

  #note(frame: KnownFrame): void {
    const { what, who, kind, href } = sentenceOf({ known: true, frame });
    const text = who?.startsWith('user:') === true ? `${what} (${who})` : what;
    this.#put({ is: 'note', ...of(frame), text, isTrouble: kind === 'trouble', href });
  }

  #put(item: Item): void {
    this.items.push(item);
    this.changed.add(item);
  }
}

function of({ seq, timestamp_ms: at }: { seq: number; timestamp_ms: number }): OfFrame {
  return { seq, at };
}

function empty(): Text {
  return { text: '', more: 0 };
}

function grow(text: Text, by: string, limit: number): void {
  const room = Math.max(0, limit - text.text.length);
  text.text += by.slice(0, room);
  text.more += Math.max(0, by.length - room);
}
