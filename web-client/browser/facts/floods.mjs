// Programs that write as fast as they can, and hidden pages.
import assert from 'node:assert/strict';
import { counted, picturesOf, recordsArrivals, shareOf, STAMPS } from '../ages.mjs';
import { startTask, stopTask } from '../chromium.mjs';
import { ends, hears, isLive, longestTask, shows } from '../ground.mjs';

const PICTURES = 120; // the first half is scrollback to count in
const STOPPED_PICTURES = 180; // 3 s on an idle machine
// The goal is 100 ms, warm and idle, measured by `npm run flood` (docs/web.md). On a busy machine only the bytes under way are bounded:
const TERMINAL_BYTES = 256 * 1024; // twice the ack window (docs/protocol.md)
const LOG_BYTES = 8 * 1024 * 1024; // twice what a log may lag before it leaps: `BEHIND_BYTES` of src/log/view.ts

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  await recordsArrivals(page);

  /** Half of the frames show recent output. */
  const isNew = (pictures, mayBe) => {
    const [half, most] = [0.5, 0.9].map((share) => shareOf(pictures.map(({ ms }) => ms), share));
    const [behind, far, farthest] = [0.5, 0.9, 1].map((share) => shareOf(pictures.map((each) => each.behind), share));
    here.note(`the newest line that was to be seen was written ${half} ms before (p50), ${most} ms (p90); ${behind}, ${far}, ${farthest} bytes have come since`);
    assert.ok(behind <= mayBe, `${behind} bytes have come since what is seen was written, ${half} ms ago`);
  };

  await here.fact('during a flood of a terminal the page stays responsive, and Ctrl-C works at once', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, `trap 'echo stopped; exec cat' INT; node -e '${STAMPS}'`, 'pty', 'flood');
    await isLive(page);
    await shows(page, 'flooding');
    let [took, stopped] = [0, 0];
    let pictures = [];
    const long = await longestTask(page, async () => {
      pictures = await picturesOf(page, PICTURES);
      await page.locator('.screen').click();
      const begun = performance.now();
      const drawn = await counted(page);
      await page.keyboard.press('Control+c');
      await shows(page, 'stopped');
      took = Math.round(performance.now() - begun);
      stopped = await drawn();
    });
    here.note(`the longest that the page did not answer was ${long.most} ms (${long.count} over 50); Ctrl-C took ${took} ms`);
    isNew(pictures, TERMINAL_BYTES);
    assert.ok(stopped <= STOPPED_PICTURES, `${stopped} pictures until Ctrl-C was seen`);
    await page.keyboard.type('and on\n');
    await shows(page, 'and on', 2);
  });

  await here.fact('a hidden page has the latest screen when it is visible again', async () => {
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
    await stopTask(page);
    await ends(page, 'Stopped after');
  });

  await here.fact('a viewer of a flooded log sees the latest output, and what was skipped', async () => {
    const long = STAMPS.replace('flooding', 'flooding" + ".".repeat(999) + "'); // so that a found line is not soon dropped as too old
    await startTask(page, `echo begun; node -e '${long}'`, 'pipes', 'flooded log', '16 GiB');
    await page.locator('.log', { hasText: 'flooding' }).waitFor();
    for (let leaps = 0; leaps < 2; leaps++) await page.waitForEvent('websocket'); // a viewer that receives everything would lag far behind
    isNew(await picturesOf(page, PICTURES, '.log'), LOG_BYTES);
    await isLive(page);
    const other = await here.pageOf(page.context());
    await other.goto(page.url());
    await other.locator('.log', { hasText: 'flooding' }).waitFor();
    for (const each of [other, page]) {
      await each.bringToFront(); // a browser gives a hidden page only spare time, and there is none in a flood
      await each.getByText('1 other viewer').waitFor();
    }
    const said = await hears(page, '.others:not([hidden])');
    for (let leaps = 0; leaps < 4; leaps++) await page.waitForEvent('websocket');
    assert.deepEqual(await said(), ['1 other viewer'], 'a viewer that skips stays attached');
    await other.close();
    await page.locator('.others').waitFor({ state: 'hidden' });
    await stopTask(page);
    await ends(page, 'Stopped after');
    // From the end, since no line is dropped any more: the latest leap was at most some MiB before it.
    await page.locator('.log').evaluate(async (log) => {
      const tells = () => [...log.querySelectorAll('.line')].some((line) => /… \d.* of stdout skipped here …/.test(line.textContent));
      for (let top = log.scrollHeight; !tells(); top -= log.clientHeight / 2) {
        if (top < 0) throw new Error('no line says what was skipped');
        log.scrollTop = top;
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      }
    });
    await page.locator('.earlier').getByRole('button', { name: 'stdout' }).click();
    await page.locator('.log').press('Home');
    await page.locator('.line .text', { hasText: /^begun$/ }).waitFor();
    await page.context().close();
  });
}
