// The age of the output that a page shows while a program writes as fast as it can.

/** Writes lines with their time, by the clock that the browser shares. */
export const STAMPS = `const b = () => Buffer.from((Date.now() + " flooding\\n").repeat(500)); for (;;) { let o = 0; for (const each = b(); o < each.length; ) o += require("fs").writeSync(1, each, o); }`;

/**
 * For each animation frame: the age in milliseconds of the newest visible line, and the number of frames drawn since, which does not
 * depend on how busy the machine is.
 */
export function picturesOf(page, count, place = '.xterm-rows') {
  return page.evaluate(
    ([many, where]) =>
      new Promise((done) => {
        const drawn = [];
        const next = () => {
          const text = document.querySelector(where).textContent;
          const written = Math.max(...[...text.matchAll(/(\d{13}).flooding/g)].map(([, at]) => Number(at)));
          drawn.push({ at: Date.now(), written });
          if (drawn.length < many) requestAnimationFrame(next);
          else done(drawn.map(({ at, written }) => ({ ms: at - written, behind: drawn.filter((each) => each.at > written && each.at <= at).length })).slice(many / 2).filter(({ ms }) => Number.isFinite(ms)));
        };
        requestAnimationFrame(next);
      }),
    [count, place],
  );
}

/** Counts the frames that a page draws from now on. The returned function reads the count so far. */
export async function counted(page) {
  const pictures = await page.evaluateHandle(() => {
    const count = { drawn: 0 };
    const next = () => {
      count.drawn++;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    return count;
  });
  return async () => (await pictures.jsonValue()).drawn;
}

/** For each animation frame in a period: the age in milliseconds of the newest visible line. The page draws all the time. */
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
