// What is loaded.
import assert from 'node:assert/strict';
import { linkOf } from '../chromium.mjs';
import { shows } from '../ground.mjs';

const FIRST_LOAD_BYTES = 250 * 1024;

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  await here.fact('the first load is small, and the policy for contents was never broken', async () => {
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
    await fresh.getByLabel('Search titles').fill('an echo');
    await fresh.locator('.rows a', { hasText: 'an echo' }).click();
    await shows(fresh, 'hello there'); // so xterm.js is loaded too
    const bytes = (await Promise.all(loaded)).reduce((sum, each) => sum + each, 0);
    console.log(`${bytes} bytes came`);
    assert.ok(bytes > 10_000 && bytes <= FIRST_LOAD_BYTES, `${bytes} bytes came`);
    assert.deepEqual(here.complaints, []);
    assert.deepEqual(here.elsewhere, []);
  });
}
