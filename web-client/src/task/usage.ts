import type { UsagePage, UsageSample } from '../server/api';

/** What the processes of a task use, sample by sample: first from its record, then as it comes. */
export class Usage {
  readonly #changed: (samples: readonly UsageSample[]) => void;
  #samples: UsageSample[] = [];
  #early: UsageSample[] | null = []; // came while the record was read

  /** @param changed is called with all samples when there are more */
  constructor(changed: (samples: readonly UsageSample[]) => void) {
    this.#changed = changed;
  }

  /** Reads the record. */
  async read(pageFrom: (seq: number) => Promise<UsagePage>): Promise<void> {
    for (let from: number | null = 0; from !== null; ) {
      const page: UsagePage = await pageFrom(from);
      this.#put(page.samples);
      from = page.next_seq;
    }
    const early = this.#early ?? [];
    this.#early = null;
    this.#put(early);
  }

  /** A sample has come. */
  add(sample: UsageSample): void {
    if (this.#early === null) this.#put([sample]);
    else this.#early.push(sample);
  }

  #put(samples: readonly UsageSample[]): void {
    const last = this.#samples.at(-1)?.seq ?? -1;
    const more = samples.filter(({ seq }) => seq > last);
    if (more.length === 0) return;
    this.#samples = [...this.#samples, ...more];
    this.#changed(this.#samples);
  }
}

/** A value that holds from one time to the next. */
export interface Step {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** The share of a processor over time; until another is recorded, a value holds. */
export function cpuSteps(samples: readonly UsageSample[], until: number): Step[] {
  return runsOf(samples).flatMap((run, i, runs) => {
    const end = i === runs.length - 1 ? until : (run.at(-1)?.timestamp_ms ?? 0);
    return run.flatMap(({ timestamp_ms: at, over_ms, cpu_percent: value }, j) => {
      const next = run[j + 1];
      return [{ from: at - over_ms, to: next === undefined ? Math.max(at, end) : next.timestamp_ms - next.over_ms, value }];
    });
  });
}

/** The memory over time, from the first sample of each run on. */
export function memorySteps(samples: readonly UsageSample[], until: number): Step[] {
  return runsOf(samples).flatMap((run, i, runs) =>
    run.map(({ timestamp_ms: from, memory_bytes: value }, j) => ({
      from,
      to: run[j + 1]?.timestamp_ms ?? (i === runs.length - 1 ? Math.max(from, until) : from),
      value,
    })),
  );
}

/** The CPU time of all runs. */
export function cpuTime(samples: readonly UsageSample[]): number {
  return runsOf(samples).reduce((sum, run) => sum + (run.at(-1)?.cpu_ms ?? 0), 0);
}

/** A run begins to count its CPU time anew. */
function runsOf(samples: readonly UsageSample[]): UsageSample[][] {
  const runs: UsageSample[][] = [];
  for (const sample of samples) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || sample.cpu_ms < last.cpu_ms || sample.memory_peak_bytes < last.memory_peak_bytes) runs.push([sample]);
    else run.push(sample);
  }
  return runs;
}

/** The line through steps, for an SVG of this size: `to` is at its right edge, `most` at its top. */
export function pathOf(steps: readonly Step[], from: number, to: number, most: number, width: number, height: number): string {
  const x = (at: number): string => ((width * (Math.min(Math.max(at, from), to) - from)) / Math.max(1, to - from)).toFixed(1);
  const y = (value: number): string => (height - (height * value) / Math.max(1, most)).toFixed(1);
  return steps
    .map((step, i) => `${i > 0 && steps[i - 1]?.to === step.from ? 'L' : 'M'}${x(step.from)} ${y(step.value)}H${x(step.to)}`)
    .join('');
}
