import type { Usage } from './model';

const MICROS = 1_000_000;

/** The sum of an agent's usage: `1,540 tokens in · 340 out · $0.0051`. */
export function usageOf({ input, output, microUsd }: Usage): string {
  if (input === 0 && output === 0) return dollars(microUsd);
  const tokens = `${input.toLocaleString('en')} tokens in · ${output.toLocaleString('en')} out`;
  return microUsd === 0 ? tokens : `${tokens} · ${dollars(microUsd)}`;
}

/** Cents, and of less than a dollar as many digits as were recorded. */
function dollars(micros: number): string {
  const digits = micros >= MICROS ? 2 : 6;
  const [whole = '0', parts = ''] = (micros / MICROS).toFixed(digits).split('.');
  return `$${Number(whole).toLocaleString('en')}.${parts.replace(/0+$/, '').padEnd(2, '0')}`;
}
