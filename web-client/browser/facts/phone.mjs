// On a phone.
import assert from 'node:assert/strict';
import { isLive } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  await here.fact('on a phone, the keys that it lacks are there', async () => {
    const phone = await here.signedIn({ viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true });
    const held = await here.pageOf(phone);
    await held.goto(`${here.address}/`);
    await held.getByRole('button', { name: 'New task' }).click();
    await held.getByLabel('Command').fill('cat');
    await held.getByLabel('a terminal').check();
    await held.getByRole('button', { name: 'Run' }).click();
    await isLive(held);
    assert.ok(
      await held.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      'the page is wider than the phone',
    );
    await held.getByRole('button', { name: 'Control, for the next key' }).tap();
    await held.keyboard.type('c');
    await held.locator('.end', { hasText: 'Ended by signal 2' }).waitFor();
    await phone.close();
  });
}
