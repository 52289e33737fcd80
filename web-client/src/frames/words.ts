import type { Outcome, Phase, TurnKind } from './frames';

/** The words by which each contract names a task's state: the mirror of ContractStatus. Null: there is no such task. */

type Ends = { readonly [O in Outcome]: string };

function ended(outcome: Outcome | null, words: Ends): string {
  if (outcome === null) throw new TypeError('An ended task has an outcome');
  return words[outcome];
}

export function toolTasks(phase: Phase, outcome: Outcome | null): string | null {
  switch (phase) {
    case 'absent':
      return null;
    case 'queued':
    case 'starting':
      return 'queued';
    case 'running':
    case 'awaiting_input':
    case 'idle':
    case 'stopping':
      return 'running';
    case 'ended':
      return ended(outcome, {
        succeeded: 'exited',
        nonzero: 'exited',
        failed: 'failed',
        cancelled: 'cancelled',
        timed_out: 'cancelled',
        lost: 'failed',
      });
  }
}

export function taskTools(phase: Phase, outcome: Outcome | null): string | null {
  switch (phase) {
    case 'absent':
      return null;
    case 'queued':
    case 'starting':
      return 'spawned';
    case 'running':
    case 'awaiting_input':
    case 'stopping':
      return 'running';
    case 'idle':
      return 'completed';
    case 'ended':
      return ended(outcome, {
        succeeded: 'completed',
        nonzero: 'failed',
        failed: 'failed',
        cancelled: 'killed',
        timed_out: 'timeout',
        lost: 'failed',
      });
  }
}

export function taskd(phase: Phase, outcome: Outcome | null, selected: boolean): string {
  switch (phase) {
    case 'absent':
      return 'missing';
    case 'queued':
    case 'starting':
      return 'creating';
    case 'running':
    case 'awaiting_input':
    case 'stopping':
      return 'active';
    case 'idle':
      return selected ? 'active' : 'ready';
    case 'ended':
      return ended(outcome, {
        succeeded: 'stopped',
        nonzero: 'errored',
        failed: 'errored',
        cancelled: 'stopped',
        timed_out: 'errored',
        lost: 'errored',
      });
  }
}

/** `requeued`: whether a lost run is tried again. */
export function shell(phase: Phase, outcome: Outcome | null, requeued: boolean): string | null {
  switch (phase) {
    case 'absent':
      return null;
    case 'queued':
    case 'starting':
      return 'queued';
    case 'running':
    case 'awaiting_input':
    case 'idle':
    case 'stopping':
      return 'running';
    case 'ended':
      return ended(outcome, {
        succeeded: 'succeeded',
        nonzero: 'failed',
        failed: 'failed',
        cancelled: 'canceled',
        timed_out: 'timed_out',
        lost: requeued ? 'queued' : 'failed',
      });
  }
}

export function backgroundTask(phase: Phase, outcome: Outcome | null, runningTurn: TurnKind | null): string | null {
  switch (phase) {
    case 'absent':
      return null;
    case 'running':
      return runningTurn === 'resume' ? 'resumed' : 'running';
    case 'queued':
    case 'starting':
    case 'awaiting_input':
    case 'stopping':
      return 'running';
    case 'idle':
      return 'completed';
    case 'ended':
      return ended(outcome, {
        succeeded: 'completed',
        nonzero: 'error',
        failed: 'error',
        cancelled: 'cancelled',
        timed_out: 'error',
        lost: 'error',
      });
  }
}
