// A terminal whose server cannot be reached: the page says so clearly, and typed input can be discarded.
import assert from 'node:assert/strict';
import { startTask, stopTask } from '../chromium.mjs';
import { isLive, isSettled, shows, text } from '../ground.mjs';
import { Proxy } from '../proxy.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const proxy = await Proxy.to(here.address);
  const page = await here.pageOf(await here.signedIn());
  const banner = page.locator('.offline');

  await here.fact('an offline terminal shows since when, and the unsent input', async () => {
    await page.goto(`${proxy.address}/`);
    await startTask(page, 'stty -echo; echo ready; while read -r line; do echo "line: $line"; done', 'pty', 'far away');
    await isLive(page);
    await shows(page, 'ready');
    await isSettled(page);
    const size = await page.locator('.screen').boundingBox();
    proxy.pull();
    await banner.getByText('Offline, reconnecting…').waitFor();
    await page.locator('.terminal-view.away').waitFor();
    assert.deepEqual(await page.locator('.screen').boundingBox(), size);
    await page.keyboard.type('rm -rf build\n');
    await banner.getByText('Will be sent: rm -rf build⏎').waitFor();
    await banner.getByText(/^for (?!1 s$)/).waitFor();
  });

  await here.fact('input typed offline is discarded on request, and later input is sent', async () => {
    await banner.getByRole('button', { name: 'Discard' }).click();
    await banner.getByText('Will be sent').waitFor({ state: 'hidden' });
    await page.keyboard.type('echo kept\n');
    await banner.getByText('Will be sent: echo kept⏎').waitFor();
    proxy.join();
    await shows(page, 'line: echo kept');
    await banner.waitFor({ state: 'hidden' });
    await page.locator('.terminal-view:not(.away)').waitFor();
    assert.ok(!(await text(page)).includes('rm -rf'));
  });

  await here.fact('a connection that was not closed is replaced when the server stops answering HTTP', async () => {
    const context = page.context();
    await page.goto(page.url().replace(proxy.address, here.address));
    await isLive(page);
    await context.setOffline(true);
    await banner.getByText('Offline, reconnecting…').waitFor();
    await page.locator('.connection', { hasText: /^offline, retrying in/ }).waitFor();
    await page.keyboard.type('typed blind\n');
    await banner.getByText('typed blind⏎').waitFor();
    await context.setOffline(false);
    await shows(page, 'line: typed blind');
    await banner.waitFor({ state: 'hidden' });
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    assert.equal(await banner.isVisible(), false);
    await context.close();
    proxy.close();
  });
}
