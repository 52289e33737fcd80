// Themes, fonts, and one left edge for all pages.
import assert from 'node:assert/strict';
import { spawnTask, startTask } from '../chromium.mjs';
import { isLive, isSettled, shows } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const context = await here.signedIn({ colorScheme: 'light' });
  const page = await here.pageOf(context);
  const ground = (of = page) => of.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const theme = page.getByRole('button', { name: /^Theme:/ });

  await here.fact('the theme is chosen in the page, in all tabs, and kept', async () => {
    await page.goto(`${here.address}/`);
    await page.locator('.list').waitFor();
    const light = await ground();
    const other = await here.pageOf(context);
    await other.goto(`${here.address}/#/server`);
    await other.locator('.server').waitFor();
    await theme.click();
    await theme.click();
    assert.equal(await theme.getAttribute('title'), 'Theme: dark');
    const dark = await ground();
    assert.notEqual(dark, light);
    await other.waitForFunction((wanted) => getComputedStyle(document.body).backgroundColor === wanted, dark);
    await other.close();
    await page.reload();
    assert.equal(await ground(), dark);
    await page.emulateMedia({ colorScheme: 'dark' });
    await theme.click();
    assert.equal(await theme.getAttribute('title'), 'Theme: as the system');
    assert.equal(await ground(), dark);
    await page.emulateMedia({ colorScheme: 'light' });
    assert.equal(await ground(), light);
  });

  await here.fact('texts and terminals have fonts of the server, with boxes and powerline glyphs', async () => {
    await startTask(page, String.raw`printf '\xe2\x94\x8c\xe2\x94\x80\xe2\x94\x90 \xee\x82\xb0 drawn\n'; cat`, 'pty', 'glyphs');
    await isLive(page);
    await shows(page, 'drawn');
    await isSettled(page);
    const loaded = await page.evaluate(async () => [...(await document.fonts.ready)].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')));
    assert.deepEqual(loaded.sort(), ['Penstock Mono', 'Penstock Text']);
    const cdp = await context.newCDPSession(page);
    await cdp.send('DOM.enable');
    await cdp.send('CSS.enable');
    const { root } = await cdp.send('DOM.getDocument', { depth: 0 });
    for (const [selector, family] of [['h1', 'Inter'], ['.xterm-rows > div:first-child span', 'Fira Code']]) {
      const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector });
      const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId });
      assert.ok(fonts.every((font) => font.isCustomFont), `${selector} is drawn with ${fonts.map((font) => font.familyName)}`);
      assert.ok(fonts.some((font) => font.familyName.startsWith(family)), `${selector} is drawn with ${fonts.map((font) => font.familyName)}`);
    }
    await cdp.detach();
  });

  await here.fact('all pages begin at the same left edge', async () => {
    const task = page.url();
    await spawnTask(page, 'true', { origin_session_id: 'edges' });
    const edges = [];
    for (const [address, part] of [['#/tasks', '.table'], [task.split('/').slice(3).join('/'), '.task-head .state'], ['#/sessions', '.sessions .table'], ['#/server', '.server h1']]) {
      await page.goto(`${here.address}/${address}`);
      await page.locator(part).first().waitFor();
      edges.push([address, Math.round((await page.locator(part).first().boundingBox()).x), Math.round((await page.locator('.mark svg').boundingBox()).x)]);
    }
    assert.ok(edges.every(([, part, mark]) => part === mark), JSON.stringify(edges));
  });

  await here.fact('a state has a shape and a word', async () => {
    await page.goto(`${here.address}/#/tasks`);
    const states = page.locator('.task-row > .state');
    await states.first().waitFor();
    for (const state of await states.all()) {
      const shape = await state.evaluate((each) => getComputedStyle(each, '::before').maskImage);
      assert.match(shape, /^url\("data:image\/svg/);
      assert.notEqual(await state.innerText(), '');
    }
    await context.close();
  });
}
