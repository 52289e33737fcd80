// The age of the output that a page shows while a program writes as fast as it can.

/** Writes lines with their time, by the clock that the browser shares. */
export const STAMPS = `const b = () => Buffer.from((Date.now() + " flooding\\n").repeat(500)); for (;;) { let o = 0; for (const each = b(); o < each.length; ) o += require("fs").writeSync(1, each, o); }`;

/** From now on, the pages of this context record when bytes of WebSockets arrive; before they are opened. */
export function recordsArrivals(page) {
  return page.addInitScript(() => {
    globalThis.arrivals = [];
    globalThis.WebSocket = class extends WebSocket {
      constructor(...given) {
        super(...given);
        this.addEventListener('message', ({ data }) => globalThis.arrivals.push({ at: Date.now(), bytes: data.byteLength ?? data.length }));
      }
    };
  });
}

/**
 * For each animation frame: the age in milliseconds of the newest visible line, and the bytes that arrived after it was written. These are
 * what was under way before it, however long that took: they do not depend on how busy the machine is. The page records arrivals.
 */
export async function picturesOf(page, count, place = '.xterm-rows') {
  const { drawn, arrivals } = await page.evaluate(
    ([many, where]) =>
      new Promise((done) => {
        const drawn = [];
        const next = () => {
          const text = document.querySelector(where).textContent;
          const written = Math.max(...[...text.matchAll(/(\d{13}).flooding/g)].map(([, at]) => Number(at)));
          drawn.push({ at: Date.now(), written });
          if (drawn.length < many) requestAnimationFrame(next);
          else done({ drawn, arrivals: globalThis.arrivals });
        };
        requestAnimationFrame(next);
      }),
    [count, place],
  );
  return drawn
    .slice(count / 2)
    .filter(({ written }) => Number.isFinite(written))
    .map(({ at, written }) => ({
      ms: at - written,
      behind: arrivals.filter((each) => each.at > written && each.at <= at).reduce((sum, { bytes }) => sum + bytes, 0),
    }));
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
