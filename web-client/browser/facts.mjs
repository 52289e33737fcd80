// Tests of the web client in a real Chromium beside a real server: `node browser/facts.mjs [--json] ADDRESS TOKEN_FILE [PART …]`.
// The server must be a new one: the first part expects that no task was started yet. The parts are the files of `facts/`, each in
// browser contexts of its own; without names, all of them run. `--share=1/2` runs every second part from the first on, `--share=2/2`
// the others, so that two can run side by side. `--answer-token=FILE` names a file with the answer token. `--json` prints one JSON object a line, for BrowserTest.
// `--browser=firefox` runs the named parts in Firefox; some facts use what only Chromium lets a script do.
import { readdirSync, readFileSync } from 'node:fs';
import { launch } from './chromium.mjs';
import { launchFirefox } from './firefox.mjs';
import { Ground } from './ground.mjs';
import { jsonReport, textReport } from './report.mjs';

/** The order of the parts; other files of the folder run after them, by name. */
const ORDER = ['sign-in', 'terminals', 'keyboard', 'stopping', 'company', 'use', 'webgl', 'reconnecting', 'offline', 'replay', 'replayed-floods', 'floods', 'logs', 'log-reading', 'log-search', 'terminal-log', 'shells', 'records', 'timeline', 'start', 'last-line', 'list', 'finding', 'again', 'look', 'sessions', 'watchers', 'agents', 'widths', 'phone', 'accessibility', 'docs', 'load'];

const options = process.argv.slice(2);
const isOption = (each) => each.startsWith('--');
const valueOf = (name) => options.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const [address = '', tokenFile = '', ...named] = options.filter((each) => !isOption(each));
const folder = valueOf('folder') ?? 'facts';
const [share, shares] = (valueOf('share') ?? '1/1').split('/').map(Number);
const answerToken = valueOf('answer-token') === undefined ? null : readFileSync(valueOf('answer-token'), 'utf8').trim();
const report = options.includes('--json') ? jsonReport() : textReport();
const parts = chosen(readdirSync(new URL(folder, import.meta.url)).filter((each) => each.endsWith('.mjs')).map((each) => each.slice(0, -'.mjs'.length)));
const complaints = [];
let browser;

report.begins(parts);
for (const part of parts) await run(part);
await judgeComplaints();
const { failed } = report.ends();
await browser?.close();
process.exit(failed === 0 ? 0 : 1); // also if a failed fact left something open

/** @param {string[]} there */
function chosen(there) {
  const unknown = named.find((each) => !there.includes(each));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}; there are: ${there.join(', ')}.`);
  const place = (part) => (ORDER.includes(part) ? ORDER.indexOf(part) : ORDER.length);
  return there
    .filter((each) => named.length === 0 || named.includes(each))
    .sort((one, other) => place(one) - place(other) || (one < other ? -1 : 1))
    .filter((_, index) => index % shares === share - 1);
}

async function launched() {
  if (valueOf('browser') === 'firefox') return launchFirefox();
  return launch(['--disable-3d-apis', '--in-process-gpu']); // one process less, and a tenth of the time
}

/** An error between the facts of a part ends the part, and is a failure of its own, since the remaining facts are unknown. */
async function run(part) {
  let here;
  const whole = `the part “${part}” runs to its end`;
  try {
    if (browser?.isConnected() !== true) browser = await launched();
    here = await Ground.beside(address, tokenFile, browser, part, report);
    here.answerToken = answerToken;
    const { default: facts, signedOut = false } = await import(`./${folder}/${part}.mjs`);
    if (!signedOut) await here.signIn();
    await facts(here);
    if (here.count === 0) throw new Error('This part has no facts.');
  } catch (error) {
    report.started(part, whole);
    report.failed(whole, here === undefined ? `FAILED ${whole}\n${error.stack}` : await here.describe(whole, error));
  }
  complaints.push(...(here?.complaints ?? []).map((each) => `${part}: ${each}`));
  complaints.push(...(here?.elsewhere ?? []).map((each) => `${part}: a request left for ${each}`));
  await here?.close();
}

/** Reports the browser's errors at the end, because a page may cause them long before they appear. */
async function judgeComplaints() {
  const name = 'no page throws, breaks its content security policy, or asks another host';
  report.started('all', name);
  if (complaints.length === 0) report.passed(name, 0);
  else report.failed(name, [`FAILED ${name}`, ...complaints].join('\n  '));
}
