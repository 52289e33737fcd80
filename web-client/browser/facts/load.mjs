// What is loaded.
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
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
        loaded.push(response.body().then((body) => gzipSync(body).length));
    });
    await fresh.goto(linkOf(here.address, here.tokenFile));
    await fresh.locator('.rows a', { hasText: 'an echo' }).click();
    await shows(fresh, 'hello there'); // so xterm.js is loaded too
    const bytes = (await Promise.all(loaded)).reduce((sum, each) => sum + each, 0);
    console.log(`${bytes} bytes gzipped`);
    assert.ok(bytes > 10_000 && bytes <= FIRST_LOAD_BYTES, `${bytes} bytes gzipped`);
    assert.deepEqual(here.complaints, []);
    assert.deepEqual(here.elsewhere, []);
  });
}
