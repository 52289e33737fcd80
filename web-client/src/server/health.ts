/** The answer of `/healthz` as readable facts, with all its keys in the server's order. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One line of the page. */
export interface Fact {
  readonly term: string;
  readonly text: string;
}

/** The server's health as a colour: `poor` is up but degraded. */
export type Mood = 'good' | 'poor' | 'bad';

/** The facts of an answer, one for each leaf; the key of a nested one begins with the names of those above it. */
export function factsOf(answer: Json): Fact[] {
  const facts: Fact[] = [];
  collect(answer, [], facts);
  return facts;
}

function collect(value: Json, path: readonly string[], facts: Fact[]): void {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    for (const [key, inner] of Object.entries(value)) collect(inner, [...path, key], facts);
  } else {
    facts.push({ term: termOf(path), text: textOf(path.at(-1) ?? '', value) });
  }
}

/** A key's unit is in its name (`undrained_bytes`, `uptime_ms`); the page shows it beside the number instead. */
function termOf(path: readonly string[]): string {
  const words = path.join(' ').replaceAll('_', ' ').replace(/ ms$/, '').trim();
  return words === '' ? 'Answer' : words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(key: string, value: Json): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return JSON.stringify(value);
  if (/(^|_)bytes$/.test(key)) return bytes(value);
  if (/(^|_)ms$/.test(key)) return duration(value);
  return grouped(value);
}

/** 1234567 as 1 234 567, the same in every locale. */
function grouped(value: number): string {
  return Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f') : String(value);
}

export function bytes(count: number): string {
  if (Math.abs(count) < 1024) return `${count} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let size = count / 1024;
  let unit = 0;
  // From 1023.95 on, one decimal would show 1024.0: that is one of the next unit.
  while (Math.abs(size) >= 1023.95 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${size.toFixed(1)} ${units[unit]}`;
}

export function duration(ms: number): string {
  if (Math.abs(ms) < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([amount]) => amount !== 0);
  return parts
    .slice(first, first + 2)
    .filter(([amount]) => amount !== 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ');
}

/** An answer of 200 whose status says that all is well is good; any other 200 is poor; all else is bad. */
export function moodOf(httpStatus: number, answer: Json): Mood {
  if (httpStatus !== 200) return 'bad';
  return ['ok', 'up', 'ready', 'healthy'].includes(statusOf(answer) ?? '') ? 'good' : 'poor';
}

/** The `status` of the answer, if it has one. */
export function statusOf(answer: Json): string | undefined {
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) return undefined;
  const status = answer['status'];
  return typeof status === 'string' ? status.toLowerCase() : undefined;
}
