// What holds in a real browser beside a real server: `node browser/facts.mjs ADDRESS TOKEN_FILE [PART …]`. Prints each fact that it
// has seen, and ends with the first that is not so. The parts are the files of `facts/`; to look at some of them, name them;
// `list` and `load` look at tasks of `terminals` and `logs`.
import { Ground } from './ground.mjs';

const PARTS = ['sign-in', 'terminals', 'company', 'use', 'webgl', 'reconnecting', 'replay', 'replayed-floods', 'floods', 'logs', 'records', 'timeline', 'start', 'list', 'widths', 'phone', 'accessibility', 'docs', 'load'];
const ALL_WITHIN_MS = 600_000; // it takes some 150 s on two cores that do nothing else, and has taken 250

const [address = '', tokenFile = '', ...named] = process.argv.slice(2);
const here = await Ground.beside(address, tokenFile);
setTimeout(() => {
  console.error(`The browser test did not end within ${ALL_WITHIN_MS / 1000} s; it was at: ${here.now}.`);
  process.exit(2);
}, ALL_WITHIN_MS).unref();

try {
  for (const part of PARTS) {
    if (named.length > 0 && part !== 'sign-in' && !named.includes(part)) continue;
    const { default: facts } = await import(`./facts/${part}.mjs`);
    await facts(here);
  }
  console.log('all of it is so');
} catch (wrong) {
  console.error(
    `It is not so that ${here.now}:\n${wrong instanceof Error ? (wrong.stack ?? wrong.message) : String(wrong)}`,
  );
  if (here.complaints.length > 0) console.error(`The browser said: ${here.complaints.join('\n')}`);
  for (const page of here.browser.contexts().flatMap((context) => context.pages())) {
    console.error(
      `\n${page.url()} shows:\n${(await page.locator('body').innerText({ timeout: 1000 }).catch(String)).slice(0, 1500)}`,
    );
  }
  process.exitCode = 1;
}
await here.close();
process.exit(); // also where something was left open by a fact that is not so
