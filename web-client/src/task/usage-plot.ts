import { element, say } from '../page/element';
import type { Task, UsageSample } from '../server/api';
import { bytes, duration } from '../server/health';
import { cpuSteps, cpuTime, memorySteps, pathOf, type Step } from './usage';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 600;
const HEIGHT = 60;

/** CPU and memory of a task over the time that it ran: a sentence and a line for each. */
export class UsagePlot {
  readonly cpu = new Plot();
  readonly memory = new Plot();

  /** @returns whether there is anything to show */
  show(task: Task, samples: readonly UsageSample[]): boolean {
    const [first] = samples;
    const last = samples.at(-1);
    if (first === undefined || last === undefined) return false;
    const from = Math.min(task.started_at_ms ?? Infinity, first.timestamp_ms - first.over_ms);
    const until = task.ended_at_ms ?? Math.max(Date.now(), last.timestamp_ms);
    const runs = task.outcome === null;
    const mostCpu = Math.max(...samples.map(({ cpu_percent }) => cpu_percent));
    const mostMemory = Math.max(...samples.map(({ memory_peak_bytes }) => memory_peak_bytes));
    this.cpu.show(
      `${duration(cpuTime(samples))} of CPU time${runs ? `, ${last.cpu_percent} % now` : ''}, ${mostCpu} % at most`,
      cpuSteps(samples, until),
      from,
      until,
      Math.max(100, mostCpu),
      `${Math.max(100, mostCpu)} %`,
    );
    this.memory.show(
      `${runs ? `${bytes(last.memory_bytes)} now, ` : ''}${bytes(mostMemory)} at most${runs && last.processes > 1 ? `, ${last.processes} processes` : ''}`,
      memorySteps(samples, until),
      from,
      until,
      mostMemory,
      bytes(mostMemory),
    );
    return true;
  }
}

/** One line over time, under its sentence. */
class Plot {
  readonly #said = element('span', {});
  readonly #line = document.createElementNS(SVG, 'path');
  readonly #top = element('span', { ariaHidden: 'true' });
  readonly #time = element('span', { ariaHidden: 'true' });
  readonly #svg = document.createElementNS(SVG, 'svg');
  readonly root = element('div', { className: 'usage' }, this.#said);

  constructor() {
    this.#svg.setAttribute('viewBox', `0 -2 ${WIDTH} ${HEIGHT + 4}`);
    this.#svg.setAttribute('preserveAspectRatio', 'none');
    this.#svg.setAttribute('aria-hidden', 'true'); // the sentence says what it shows
    this.#svg.append(this.#line);
    const plot = element('div', { className: 'plot' }, this.#top, element('span', { ariaHidden: 'true' }, '0'), this.#time);
    plot.prepend(this.#svg);
    this.root.append(plot);
  }

  show(sentence: string, steps: readonly Step[], from: number, to: number, most: number, top: string): void {
    say(this.#said, sentence);
    say(this.#top, top);
    say(this.#time, duration(to - from));
    this.#line.setAttribute('d', pathOf(steps, from, to, most, WIDTH, HEIGHT));
  }
}
