// Records and files that are long, unusual or empty.
import assert from 'node:assert/strict';
import { startTask, stopTask } from '../chromium.mjs';
import { drawn, ends, hasFrames, isComplete, isLive, longestTask, shows } from '../ground.mjs';

const LONG_MS = 1500; // the server and other programs use the same two cores; the figures are printed

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const rows = page.locator('.timeline li');
  const seqs = async () => (await page.locator('.timeline .seq').allInnerTexts()).map(Number);

  await here.fact('a record of thousands of frames is read from any frame, in both directions', async () => {
    await page.goto(`${here.address}/`);
    // Alternating channels, so that each frame has a line of its own; on a busy machine, several frames become one, which takes more turns.
    const gate = await here.gate();
    await startTask(page, gate.repeats(0.001, 'echo $((++i)); echo $i >&2'), 'pipes', 'a long record');
    await hasFrames(page, 1500);
    await gate.open();
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    const address = page.url();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await rows.filter({ hasText: 'Succeeded' }).waitFor();
    const newest = await seqs();
    assert.ok(newest.length > 100 && newest.length <= 500, `${newest.length} lines`);
    const last = newest.at(-1);
    assert.ok(last > 1500, `only ${last} frames`);
    await page.goto(`${address}?seq=300`);
    await page.locator('.timeline li.marked .seq', { hasText: /^300$/ }).waitFor();
    await page.getByRole('button', { name: 'Load later' }).waitFor();
    const first = await seqs();
    assert.ok(first[0] >= 50 && first.at(-1) <= 550, `${first[0]} to ${first.at(-1)}`);
    const earlier = page.getByRole('button', { name: 'Load earlier' });
    await earlier.scrollIntoViewIfNeeded();
    const topOf = async (seq) =>
      (await rows.filter({ has: page.locator('.seq', { hasText: new RegExp(`^${seq}$`) }) }).boundingBox())?.y;
    const place = await topOf(first[1]);
    await earlier.click();
    await rows.filter({ hasText: 'Requested bash' }).waitFor();
    await page.getByRole('button', { name: 'Load later' }).waitFor();
    await drawn(page);
    const kept = await topOf(first[1]);
    assert.ok(Math.abs(kept - place) < 1, `the line that was read at ${place} is at ${kept}`);
    await page.getByRole('button', { name: 'Load later' }).click();
    await page.waitForFunction(
      (before) => Number([...document.querySelectorAll('.timeline .seq')].at(-1).textContent) > before,
      first.at(-1) + 300,
    );
    const all = await seqs();
    assert.deepEqual(all, [...new Set(all)].sort((one, other) => one - other));
    assert.match(await rows.first().locator('time').innerText(), /^\+0\.00 s$/);
    assert.match(await rows.first().locator('.who').innerText(), /^user:/);
    await page.goto(address);
    await page.getByRole('link', { name: 'Timeline' }).click();
    const end = rows.filter({ hasText: 'Succeeded' });
    assert.equal(await end.locator('.who').innerText(), 'reaper · exit');
  });

  await here.fact('a line of 10 MB, and bytes that are not text, do not block the page', async () => {
    const command = "echo first; head -c 10000000 /dev/zero | tr '\\0' x; echo; head -c 2000000 /dev/urandom; printf '\\033[0m\\nlast\\n'";
    await page.goto(`${here.address}/`);
    const long = await longestTask(page, async () => {
      await startTask(page, command, 'pipes', 'a long line');
      await ends(page, 'Succeeded');
      await isComplete(page);
      await page.locator('.line .text', { hasText: /^last$/ }).waitFor();
      await page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: 'stdout' }).click();
      await page.locator('.log[aria-busy=false]').waitFor(); // at the end of the channel
      await page.locator('.log').press('Home');
      await page.locator('.log', { hasText: '9.5 MiB more of this line are in the file' }).waitFor();
      await page.keyboard.press('w');
      await page.locator('.log.wraps').waitFor();
      await page.keyboard.press('w');
    });
    here.note(`the longest that the page did not answer was ${long.most} ms (${long.count} over 50)`);
    assert.ok(long.most < LONG_MS, `the page did not answer for ${long.most} ms`);
  });

  await here.fact('files show their first lines, and the size of the rest', async () => {
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('region', { name: 'Beginning of stdout' }).getByText(/^first\nx+$/).waitFor();
    await page.locator('.files li', { hasText: 'stdout' }).getByText(/^… and [\d.]+ MiB more$/).waitFor();
  });

  await here.fact('the files of a writing task stay in place', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'while :; do echo more and more; sleep 0.2; done', 'pipes', 'it grows');
    await page.locator('.log', { hasText: 'more and more' }).waitFor();
    await page.getByRole('link', { name: 'Files' }).click();
    const card = page.locator('.files li', { hasText: 'stdout' });
    const size = card.locator('div p');
    await card.getByRole('link', { name: 'Download' }).focus();
    for (let i = 0; i < 2; i++) {
      const before = await size.innerText();
      await page.waitForFunction((old) => document.querySelector('.files li div p').textContent !== old, before);
    }
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Download');
    assert.equal(await card.locator('pre').count(), 1);
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('a terminal whose module fails to load says so, and works after a reload', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'echo here it is; cat', 'pty', 'late page');
    await shows(page, 'here it is');
    await page.route('**/assets/view-*.js', (route) => route.abort());
    await page.reload();
    await page.getByText('Part of this page could not be loaded').waitFor();
    await page.unroute('**/assets/view-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await shows(page, 'here it is');
    here.complaints = here.complaints.filter((each) => !each.includes('dynamically imported module')); // as expected
    // After a temporary refusal, the page asks again.
    let isAway = true;
    const refusal = { error: { code: 'DATABASE_UNAVAILABLE', message: 'The database is away', retryable: true, details: {} } };
    await page.route('**/tasks/*', (route) => (isAway ? route.fulfill({ status: 503, json: refusal }) : route.continue()));
    await page.reload();
    await page.getByText('The database is away Retrying…').or(page.getByText('The database is away. Retrying…')).waitFor();
    isAway = false;
    await shows(page, 'here it is');
    await page.unroute('**/tasks/*');
    // It stops by its button: the letter could be meant for the program.
    await page.locator('.connection').click();
    await page.keyboard.press('s');
    await page.locator('.stop:enabled').waitFor();
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('a terminal without output says so, and its replay ends at once', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'true', 'pty', 'nothing at all');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await page.getByText('No output.').filter({ visible: true }).waitFor(); // of the screen, or of the log if it had ended before
    await page.getByRole('link', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await page.locator('.replay .figure', { hasText: /^(\d+:\d\d) \/ \1$/ }).waitFor(); // at its end
    await page.getByRole('button', { name: 'Play', exact: true }).click(); // once more
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    assert.equal(await page.locator('.replay .complaint').innerText(), '');
  });

  await here.fact('a task whose output was removed says so, and keeps its record', async () => {
    for (const mode of ['pty', 'pipes']) {
      await page.goto(`${here.address}/`);
      await startTask(page, 'echo something', mode, 'removed');
      await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
      const refusal = { error: { code: 'ARTIFACT_GONE', message: 'It has been removed', retryable: false, details: {} } };
      await page.route('**/output/*', (route) => route.fulfill({ status: 410, json: refusal }));
      await page.reload();
      await page.getByRole('heading', { name: 'Its output has been removed' }).waitFor();
      await isComplete(page);
      assert.equal(await page.getByText('No output').count(), 0);
      assert.equal(await page.getByRole('link', { name: 'Replay' }).count(), 0);
      await page.getByRole('link', { name: 'Files' }).click();
      await page.locator('.aside').getByText('Its output has been removed').waitFor();
      await page.locator('.aside').getByRole('link', { name: 'Open the timeline' }).click();
      await rows.filter({ hasText: 'Succeeded' }).waitFor();
      await page.unroute('**/output/*');
    }
  });

  await here.fact('a view chosen while a task loads is shown when it has loaded', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'echo something', 'pty', 'slow to come');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    let goOn = () => {};
    const held = new Promise((resolve) => (goOn = resolve));
    await page.route('**/tasks/*', async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await page.locator('.task').waitFor();
    await page.evaluate(() => (location.hash += '/timeline')); // keys may be meant for a terminal that has yet to come
    goOn();
    await rows.filter({ hasText: 'Succeeded' }).waitFor();
    await page.getByRole('link', { name: 'Replay' }).waitFor();
    assert.equal(await page.locator('.tabs [aria-current]').innerText(), 'Timeline');
    await page.unroute('**/tasks/*');
  });

  await here.fact('an unreachable server and a silent one are reported', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'cat', 'pty', 'no answer');
    await isLive(page);
    await page.route('**/tasks/*', (route) => route.abort());
    await page.locator('.connection', { hasText: 'not responding' }).waitFor();
    await page.keyboard.type('still\n'); // the socket is open
    await shows(page, 'still', 2);
    await page.unroute('**/tasks/*');
    await isLive(page);
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await page.context().close();
  });
}
