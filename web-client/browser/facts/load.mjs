// The files that a page loads.
import assert from 'node:assert/strict';
import { linkOf, startTask } from '../chromium.mjs';
import { shows } from '../ground.mjs';

const FIRST_LOAD_BYTES = 250_000;

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  await here.fact('the first load is small', async () => {
    await startTask(here.page, 'echo here it is', 'pty', 'to be loaded');
    await shows(here.page, 'here it is');
    const fresh = await here.pageOf(await here.person());
    const loaded = [];
    fresh.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === '/' || pathname.startsWith('/assets/'))
        loaded.push(
          response.request().sizes().then(({ responseBodySize }) => {
            assert.equal(response.headers()['content-encoding'], 'gzip', pathname);
            return responseBodySize;
          }),
        );
    });
    await fresh.goto(linkOf(here.address, here.tokenFile));
    await fresh.getByLabel('Search tasks').fill('to be loaded');
    await fresh.locator('.rows a', { hasText: 'to be loaded' }).click();
    await shows(fresh, 'here it is'); // so xterm.js is loaded too
    const bytes = (await Promise.all(loaded)).reduce((sum, each) => sum + each, 0);
    here.note(`${bytes} bytes came`);
    assert.ok(bytes > 10_000 && bytes <= FIRST_LOAD_BYTES, `${bytes} bytes came`);
  });
}
