// Finding a task in the list, and acting on it there.
import assert from 'node:assert/strict';
import { spawnTask } from '../chromium.mjs';
import { drawn, scrolls } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn({ viewport: { width: 1440, height: 900 } }));
  const label = `finding-${Date.now()}`;
  const rowOf = (title) => page.locator('.rows li', { hasText: title });
  const chip = (name) => page.getByRole('group', { name: 'States' }).getByRole('button', { name });
  const inState = (title, state) => rowOf(title).locator('.state', { hasText: state }).waitFor();
  const spawned = (command, fields) => spawnTask(page, command, { label, ...fields });
  /** The list has requested and shown all that it knows to have changed. */
  const isIdle = async () => {
    await page.locator('.rows[aria-busy=false]').waitFor();
    await page.locator('.chips[aria-busy=false]').waitFor();
  };

  await here.fact('long titles are shown whole, and the last output line below them', async () => {
    await page.goto(`${here.address}/#/tasks?label=${label}`);
    await page.getByText('No tasks labelled').waitFor();
    const titles = ['docker build -t registry.internal/team/service-payments:1.42.0-rc1 -f deploy/Dockerfile .', 'pytest -q tests/unit/test_the_parser_of_terminal_sequences_in_depth.py'];
    const line = `Step 12 of 14: ${'copying layers '.repeat(6)}done`;
    for (const title of titles) await spawned(`echo '${line}'`, { title });
    for (const title of titles) {
      const row = rowOf(title);
      await row.locator('.last', { hasText: 'Step 12' }).waitFor();
      for (const part of ['.name', '.last']) {
        const [shown, whole] = await row.locator(part).evaluate((each) => [each.clientWidth, each.scrollWidth]);
        assert.ok(whole <= shown, `${part} needs ${whole} px and has ${shown}`);
      }
      assert.ok((await row.boundingBox()).height >= 48, 'a row has two lines');
    }
    const { x, width } = await page.locator('.table').boundingBox();
    assert.ok(x <= 24 && x + width >= 1440 - 24, `the list reaches from ${x} to ${x + width}`);
  });

  await here.fact('the command of a task is searched, and parts of a state are chosen', async () => {
    await spawned('true --context staging get pods', { title: 'Look at the cluster' });
    await spawned('exit 3', { title: 'fails at once' });
    await inState('fails at once', 'Failed (3)');
    await page.getByLabel('Search tasks').fill(`label:${label} staging GET`);
    await rowOf('docker').waitFor({ state: 'detached' });
    await rowOf('Look at the cluster').waitFor();
    await page.getByLabel('Search tasks').fill(`label:${label}`);
    await rowOf('docker').waitFor();
    await chip('Failed').getByText('1', { exact: true }).waitFor();
    await chip('All').getByText('4', { exact: true }).waitFor();
    await chip('Failed').click();
    await rowOf('docker').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.rows li').count(), 1);
    assert.equal(await chip('Failed').getAttribute('aria-pressed'), 'true');
    await chip('Succeeded').click();
    await rowOf('fails at once').waitFor({ state: 'detached' });
    await chip('All').click();
    await rowOf('fails at once').waitFor();
  });

  await here.fact('a new task is listed and counted by itself, and its next line takes no request of rows', async () => {
    const gate = await here.gate();
    await spawned(`${gate.waits}; echo over; read -r -t 600 <> <(:)`, { title: 'comes by itself' });
    await inState('comes by itself', 'Running');
    await chip('Running').getByText('1', { exact: true }).waitFor();
    await isIdle();
    const asked = [];
    page.on('request', (each) => new URL(each.url()).pathname === '/tasks' && asked.push(each.url()));
    await gate.open();
    await rowOf('comes by itself').locator('.last', { hasText: 'over' }).waitFor();
    assert.deepEqual(asked, []); // a row that is there changes by what the server told
  });

  await here.fact('a list in which nothing changes sends and receives nothing', async () => {
    await isIdle();
    const moved = [];
    page.on('request', (each) => moved.push(each.url()));
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Network.enable');
    const received = async () => (await new Promise((resolve) => cdp.once('Network.dataReceived', resolve))).dataLength;
    const SIGN_OF_LIFE = 3; // bytes, every 15 s
    while ((await received()) !== SIGN_OF_LIFE); // until the list was told the last change
    assert.equal(await received(), SIGN_OF_LIFE);
    assert.deepEqual(moved, []);
    await cdp.detach();
  });

  await here.fact('a row is stopped and run again by keys, and several are stopped at once', async () => {
    await rowOf('comes by itself').locator('a.row').focus();
    await page.keyboard.press('s');
    await page.getByRole('dialog', { name: /^Stop “comes by itself”/ }).getByRole('button', { name: 'Stop', exact: true }).click();
    await inState('comes by itself', 'Stopped');
    for (const title of ['one of two', 'two of two']) await spawned('sleep 600', { title });
    for (const title of ['one of two', 'two of two']) await inState(title, 'Running');
    for (const title of ['one of two', 'two of two']) {
      await rowOf(title).hover();
      await rowOf(title).getByRole('checkbox').check();
    }
    await page.getByText('2 selected').waitFor();
    await page.locator('.picked').getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog', { name: 'Stop 2 tasks?' }).getByRole('button', { name: 'Stop' }).click();
    for (const title of ['one of two', 'two of two']) await inState(title, 'Stopped');
    await page.getByText('2 selected').waitFor({ state: 'hidden' });
    await rowOf('fails at once').locator('a.row').focus();
    await page.keyboard.press('r');
    await page.locator('.end', { hasText: 'Failed with exit code 3' }).waitFor();
    await page.goBack();
    await rowOf('fails at once').nth(1).waitFor();
  });

  await here.fact('ended tasks are removed from the list, by a key or several at once', async () => {
    const remove = async (question) => {
      await page.getByRole('dialog', { name: question }).getByRole('button', { name: 'Remove' }).click();
    };
    for (const title of ['removed by a key', 'removed first', 'removed second']) {
      await spawned('true', { title });
      await inState(title, 'Succeeded');
    }
    await rowOf('removed by a key').locator('a.row').focus();
    await page.keyboard.press('Delete');
    await remove('Remove 1 task?');
    await rowOf('removed by a key').waitFor({ state: 'detached' });
    for (const title of ['removed first', 'removed second']) {
      await rowOf(title).hover();
      await rowOf(title).getByRole('checkbox').check();
    }
    await page.locator('.picked').getByRole('button', { name: 'Remove' }).click();
    await remove('Remove 2 tasks?');
    for (const title of ['removed first', 'removed second']) await rowOf(title).waitFor({ state: 'detached' });
    await page.reload();
    await rowOf('one of two').waitFor();
    assert.equal(await rowOf('removed').count(), 0);
  });

  await here.fact('a time says how long ago, and its tooltip exactly when', async () => {
    const started = rowOf('docker').locator('.started');
    await started.filter({ hasText: /ago$/ }).waitFor();
    assert.match(await started.getAttribute('title'), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  await here.fact('Back returns to the place in the list, with the same rows', async () => {
    await page.evaluate(async (many) => {
      const body = (i) => JSON.stringify({ tool: 'exec', title: `place ${i}`, label: many, args: { argv: ['true'] } });
      const headers = { 'content-type': 'application/json' };
      for (let i = 0; i < 120; i += 20)
        await Promise.all(Array.from({ length: 20 }, (_, j) => fetch('/tasks', { method: 'POST', headers, body: body(i + j) })));
    }, `${label}-many`);
    await page.goto(`${here.address}/#/tasks?label=${label}-many`);
    await rowOf('place').nth(49).waitFor();
    while ((await page.evaluate(() => scrollY)) < 4_000) {
      await scrolls(page, 'html', () => page.mouse.wheel(0, 1_500));
      await page.locator('.rows[aria-busy=false]').waitFor();
      await drawn(page);
    }
    const place = await page.evaluate(() => scrollY);
    const title = await page.evaluate(() => document.elementFromPoint(700, 500).closest('.task-row').querySelector('.name').textContent);
    await page.locator('.rows li', { has: page.getByText(title, { exact: true }) }).locator('a.row').click();
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.goBack();
    await page.getByText(title, { exact: true }).waitFor();
    await page.waitForFunction((y) => scrollY === y, place);
    await page.keyboard.press('g');
    await page.waitForURL(/#\/tasks$/);
    await page.waitForFunction(() => scrollY === 0);
    await page.context().close();
  });
}
