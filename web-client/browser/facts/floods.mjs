// Programs that write as fast as they can, and pages that nobody looks at.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { isLive, longestTask, shows } from '../ground.mjs';

const LONG_MS = 1500; // two cores are shared with the flood, the server and whatever else runs; what is seen is printed

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());

  await here.fact('while a terminal is flooded the page answers, and Ctrl-C works at once', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, "trap 'echo stopped; exec cat' INT; yes flooding | cat", 'pty', 'flood');
    await isLive(page);
    await shows(page, 'flooding');
    let took = 0;
    const long = await longestTask(page, async () => {
      for (let i = 0; i < 3; i++) {
        // A second of it, and the page draws all the while.
        const pictures = await page.evaluate(
          () =>
            new Promise((done) => {
              let count = 0;
              const until = performance.now() + 1000;
              const next = () => (performance.now() > until ? done(count) : (count++, requestAnimationFrame(next)));
              requestAnimationFrame(next);
            }),
        );
        assert.ok(pictures >= 5, `only ${pictures} pictures in a second`);
      }
      const begun = performance.now();
      await page.locator('.screen').click();
      await page.keyboard.press('Control+c');
      await shows(page, 'stopped');
      took = Math.round(performance.now() - begun);
    });
    console.log(`the longest that the page did not answer was ${long.most} ms (${long.count} over 50); Ctrl-C took ${took} ms`);
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
    await hides(false);
    await shows(page, 'typed elsewhere', 2);
    await page.locator('.stop').click();
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.context().close();
  });
}
