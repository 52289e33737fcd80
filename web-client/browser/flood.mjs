// The age of the visible output in a flood: `npm run flood -- ADDRESS TOKEN_FILE [ROUNDS]`, beside a `./penstock up` on the same machine,
// which should be idle otherwise. Each round is a new task and a new page, and takes some seconds.
import { agesOf, shareOf, STAMPS } from './ages.mjs';
import { launch, linkOf, startTask, stopTask } from './chromium.mjs';

const [address = 'http://127.0.0.1:7341', tokenFile = '', rounds = '5'] = process.argv.slice(2);
const FOR_MS = 4_000;
const WARM_MS = 1_000; // meanwhile the browser compiles the parsing code

const browser = await launch(['--disable-3d-apis']); // the pixels that a card would draw cannot be read
try {
  for (let round = 1; round <= Number(rounds); round++) {
    const page = await (await browser.newContext({ viewport: { width: 1100, height: 700 } })).newPage();
    await page.goto(linkOf(address, tokenFile));
    await page.locator('.list').waitFor();
    await startTask(page, `node -e '${STAMPS}'`, 'pty', 'flood', '16 GiB');
    await page.locator('.xterm-rows', { hasText: 'flooding' }).waitFor();
    await agesOf(page, WARM_MS);
    const ages = await agesOf(page, FOR_MS);
    const [p50, p90, p99] = [0.5, 0.9, 0.99].map((share) => shareOf(ages, share));
    console.log(`round ${round}: p50 ${p50} ms, p90 ${p90} ms, p99 ${p99} ms, of ${ages.length} pictures in ${FOR_MS / 1000} s`);
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.context().close();
  }
} finally {
  await browser.close();
}
