// Describes a failed fact: the statement that did not hold, the actual value, the content of the pages, and a screenshot of each.
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PICTURES = fileURLToPath(new URL('../target/browser-facts/', import.meta.url));
const SHOWN_CHARS = 700; // of a page's text
const FRAME_WITHIN_MS = 2_000;
const LOOK_WITHIN_MS = 5_000; // for a page that may hang

/** @param {{name: string, part: string, error: unknown, pages: import('playwright-core').Page[], complaints: string[], number: number}} failure */
export async function describe({ name, part, error, pages, complaints, number }) {
  const at = placeOf(error);
  const seen = error instanceof Error ? error.message : String(error);
  const lines = [`FAILED ${name}`, `  part: ${part}`];
  if (at !== undefined) lines.push(`  at: web-client/browser/${at.file}:${at.line}`, `  expected: ${at.source}`);
  lines.push(`  seen: ${indented(plain(seen))}`);
  if (complaints.length > 0) lines.push(`  the browser said: ${indented(complaints.join('\n'))}`);
  mkdirSync(PICTURES, { recursive: true });
  for (const [i, page] of pages.entries()) {
    const picture = `${PICTURES}${part}-${number}${i === 0 ? '' : `-${i + 1}`}.png`;
    const frames = await page.evaluate(FRAMES).catch(String);
    const text = await page.locator('body').innerText({ timeout: LOOK_WITHIN_MS }).catch(String);
    const taken = await page.screenshot({ path: picture, timeout: LOOK_WITHIN_MS }).then(() => picture, (refused) => `none: ${refused.message}`);
    lines.push(`  page: ${page.url()}`, `    frames: ${frames}`, `    picture: ${taken}`, `    text: ${text.replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARS)}`);
  }
  return lines.join('\n');
}

/** Whether the page gets animation frames: xterm.js, the rows of a log and `waitForFunction` all wait for one. */
const FRAMES = `new Promise((done) => {
  const begun = performance.now();
  const seen = (what) => done(what + ' after ' + Math.round(performance.now() - begun) + ' ms, ' + document.visibilityState);
  requestAnimationFrame(() => seen('one'));
  setTimeout(() => seen('none'), ${FRAME_WITHIN_MS});
})`;

/** The first line of a part that the error came from. */
function placeOf(error) {
  const [, path, line] = /(?:file:\/\/)?(\/[^\s()]*\/browser\/[\w-]+\/[\w-]+\.mjs):(\d+)/.exec(error?.stack ?? '') ?? [];
  if (path === undefined) return undefined;
  const source = readFileSync(path, 'utf8').split('\n')[Number(line) - 1]?.trim() ?? '';
  return { file: path.replace(/.*\/browser\//, ''), line, source };
}

function plain(text) {
  return text.replaceAll(/\x1b\[[\d;]*m/g, '');
}

function indented(text) {
  return text.trimEnd().replaceAll('\n', '\n    ');
}
