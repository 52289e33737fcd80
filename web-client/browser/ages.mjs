// How old what a page shows is, while a program writes as fast as it can.

/** Lines that say when they were written: by the clock of this machine, which the browser has too. */
export const STAMPS = `const b = () => Buffer.from((Date.now() + " flooding\\n").repeat(500)); for (;;) { let o = 0; for (const each = b(); o < each.length; ) o += require("fs").writeSync(1, each, o); }`;

/** With each picture of so long a time: how many milliseconds ago the newest line that it shows was written. The page draws all the while. */
export async function agesOf(page, ms, place = '.xterm-rows') {
  const seen = await page.evaluate(
    ([during, where]) =>
      new Promise((done) => {
        const old = [];
        const until = performance.now() + during;
        const next = () => {
          const text = document.querySelector(where).textContent;
          old.push(Date.now() - Math.max(...[...text.matchAll(/(\d{13}).flooding/g)].map(([, at]) => Number(at))));
          if (performance.now() > until) done(old);
          else requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    [ms, place],
  );
  return seen.filter(Number.isFinite);
}

export function shareOf(ages, share) {
  const sorted = [...ages].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
