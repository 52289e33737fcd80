// On a phone.
import assert from 'node:assert/strict';
import { isLive } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  await here.fact('a phone has buttons for the keys that it lacks', async () => {
    const phone = await here.signedIn({ viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true });
    const held = await here.pageOf(phone);
    await held.goto(`${here.address}/`);
    await held.getByRole('button', { name: 'New task' }).click();
    await held.getByRole('dialog', { name: 'Start a task' }).getByLabel('Command').fill('cat'); // a row's title may have the word
    await held.getByLabel('Terminal – interactive').check();
    await held.getByRole('button', { name: 'Run', exact: true }).click();
    await isLive(held);
    const fits = async (view) => {
      const [all, phoneHas] = await held.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(all <= phoneHas, `${view} is ${all} wide, the phone ${phoneHas}`);
    };
    await fits('the terminal');
    await held.getByRole('button', { name: 'Search' }).tap();
    const row = await held.getByLabel('Search the terminal').boundingBox();
    assert.ok(row.x >= 0 && row.width > 120, `the field is at ${row.x}, ${row.width} wide`);
    await held.getByRole('button', { name: 'Close the search' }).tap();
    await held.locator('.size').tap();
    await held.getByRole('dialog', { name: 'Viewers' }).getByText('can type').waitFor();
    await fits('the panel');
    await held.keyboard.press('Escape');
    await held.locator('.screen').tap();
    await held.setViewportSize({ width: 360, height: 340 }); // as when its keyboard comes
    await held.locator('.top').waitFor({ state: 'hidden' });
    const [title, tabs] = await Promise.all(['.title', '.task-head .tabs'].map((each) => held.locator(each).boundingBox()));
    assert.ok(title.y + title.height <= tabs.y, 'the title and the way to other views lie on each other');
    await held.waitForFunction(() => Number(/\d+$/.exec(document.querySelector('.size').textContent)) >= 9);
    await held.setViewportSize({ width: 360, height: 640 });
    await held.getByRole('button', { name: 'Control, for the next key' }).tap();
    await held.keyboard.type('c');
    await held.locator('.end', { hasText: 'Killed by SIGINT' }).waitFor();
    await phone.close();
  });
}
