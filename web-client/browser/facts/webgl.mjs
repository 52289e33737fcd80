// With a graphics card, or a software one, the card draws; when the page loses the card's context, it draws by itself.
import assert from 'node:assert/strict';
import { launch, startTask, stopTask } from '../chromium.mjs';
import { allText, isLive, shows } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const browser = await launch(['--use-angle=swiftshader', '--enable-unsafe-swiftshader']);
  try {
    const context = await here.person({ storageState: await here.context.storageState() }, browser);
    const page = await here.pageOf(context);

    await here.fact('terminals use WebGL where available, and continue without it when its context is lost', async () => {
      await page.goto(`${here.address}/`);
      await startTask(page, 'echo drawn; cat', 'pty', 'drawn');
      await isLive(page);
      assert.ok(
        await page
          .locator('.xterm-screen canvas')
          .evaluateAll((all) => all.some((each) => each.getContext('webgl2') instanceof WebGL2RenderingContext)),
      );
      assert.equal(await page.locator('.xterm-rows').count(), 0);
      await page.locator('.screen').click();
      await page.keyboard.type('before\n');
      await page.waitForFunction(() => [...document.querySelectorAll('.figure')].some((each) => /\d B/.test(each.textContent)));
      await page.evaluate(() =>
        [...document.querySelectorAll('.xterm-screen canvas')]
          .map((each) => each.getContext('webgl2'))
          .find((each) => each !== null)
          .getExtension('WEBGL_lose_context')
          .loseContext(),
      );
      await page.locator('.xterm-rows', { hasText: 'before' }).waitFor(); // if the context has not been restored for three seconds
      await shows(page, 'before', 2); // its echo, and the output
      await page.keyboard.type('after\n');
      await shows(page, 'after', 2);
      assert.match(await allText(page), /^drawn\nbefore\nbefore\nafter\n/);
      await stopTask(page);
      await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    });
  } finally {
    await browser.close();
  }
}
