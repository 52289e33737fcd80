// Programs that write as fast as they can, and pages that nobody looks at.
import assert from 'node:assert/strict';
import { agesOf, shareOf, STAMPS } from '../ages.mjs';
import { startTask } from '../chromium.mjs';
import { isLive, longestTask, shows } from '../ground.mjs';

const LONG_MS = 1000; // two cores are shared with the flood, the server and whatever else runs; what is seen is printed
const OLD_MS = 1_000; // of the newest line that is to be seen, half of the time. 100 are wanted, warm and alone; `npm run flood` measures it (docs/web.md)

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());

  await here.fact('while a terminal is flooded the page answers, and Ctrl-C works at once', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, `trap 'echo stopped; exec cat' INT; node -e '${STAMPS}'`, 'pty', 'flood');
    await isLive(page);
    await shows(page, 'flooding');
    let took = 0;
    const ages = [];
    const long = await longestTask(page, async () => {
      for (let i = 0; i < 3; i++) {
        const seen = await agesOf(page, 1000);
        assert.ok(seen.length >= 5, `only ${seen.length} pictures in a second`);
        ages.push(...seen);
      }
      const begun = performance.now();
      await page.locator('.screen').click();
      await page.keyboard.press('Control+c');
      await shows(page, 'stopped');
      took = Math.round(performance.now() - begun);
    });
    const [half, most] = [0.5, 0.9].map((share) => shareOf(ages, share));
    console.log(`the longest that the page did not answer was ${long.most} ms (${long.count} over 50); Ctrl-C took ${took} ms`);
    console.log(`the newest line that was to be seen was written ${half} ms before (p50), ${most} ms (p90), of ${ages.length} pictures`);
    assert.ok(ages.length > 15 && half < OLD_MS, `what is seen is ${half} ms old, in ${ages.length} pictures`);
    assert.ok(long.most < LONG_MS, `the page did not answer for ${long.most} ms`);
    assert.ok(took < 3000, `${took} ms until Ctrl-C was seen`);
    await page.keyboard.type('and on\n');
    await shows(page, 'and on', 2);
  });

  await here.fact('a page that nobody looks at has the newest screen when somebody does again', async () => {
    const hides = async (hidden) =>
      page.evaluate((state) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden ? 'hidden' : 'visible');
    await hides(true);
    const other = await here.pageOf(page.context());
    await other.goto(page.url());
    await isLive(other);
    await other.locator('.screen').click();
    await other.keyboard.type('typed elsewhere\n');
    await shows(other, 'typed elsewhere', 2);
    assert.ok(!(await page.locator('.xterm-rows').innerText()).includes('elsewhere'));
    await other.close(); // a browser draws the page in front
    await hides(false);
    await shows(page, 'typed elsewhere', 2);
    await page.locator('.stop').click();
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('who follows a flooded log sees what is new, and what is left out between', async () => {
    const long = STAMPS.replace('flooding', 'flooding" + ".".repeat(999) + "'); // so that what is found is not soon too old to be kept
    await startTask(page, `echo begun; node -e '${long}'`, 'pipes', 'flooded log', '16 GiB');
    await page.locator('.log', { hasText: 'flooding' }).waitFor();
    await agesOf(page, 3000, '.log'); // by then who reads all of it is seconds behind
    const ages = await agesOf(page, 3000, '.log');
    const [half, most] = [0.5, 0.9].map((share) => shareOf(ages, share));
    console.log(`the newest line was written ${half} ms before (p50), ${most} ms (p90), of ${ages.length} pictures`);
    assert.ok(ages.length > 15 && half < OLD_MS, `what is seen is ${half} ms old, in ${ages.length} pictures`);
    await isLive(page);
    const other = await here.pageOf(page.context());
    await other.goto(page.url());
    await other.locator('.log', { hasText: 'flooding' }).waitFor();
    for (const each of [page, other]) await each.getByText('1 other here').waitFor();
    assert.deepEqual(await saidOfOthers(page, 2000), ['1 other here'], 'who leaps leaves nobody');
    await other.close();
    await page.locator('.others').waitFor({ state: 'hidden' });
    await page.locator('.log').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('left out here');
    await page.keyboard.press('Enter');
    await page.locator('.line.marked', { hasText: /… \d.* of stdout left out here …/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.stop').click();
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.locator('.earlier').getByRole('button', { name: 'stdout' }).click();
    await page.locator('.log').press('Home');
    await page.locator('.line .text', { hasText: /^begun$/ }).waitFor();
    await page.context().close();
  });
}

/** Whatever is said of others in so long. */
async function saidOfOthers(page, ms) {
  return page.locator('.others').evaluate(
    (others, time) =>
      new Promise((resolve) => {
        const said = new Set();
        const look = () => said.add(others.hidden ? 'nobody' : others.textContent);
        look();
        const observer = new MutationObserver(look);
        observer.observe(others, { attributes: true, characterData: true, childList: true, subtree: true });
        setTimeout(() => {
          observer.disconnect();
          resolve([...said]);
        }, time);
      }),
    ms,
  );
}
