// The output of a terminal as a log: all lines as the terminal has shown them.
import assert from 'node:assert/strict';
import { startTask, stopTask } from '../chromium.mjs';
import { isComplete, isLive, shows } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const text = (words) => page.locator('.line .text', { hasText: words });
  const shown = (name) => page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name });
  const marked = (words) => page.locator('.line.marked .text', { hasText: words });

  await here.fact('an ended terminal is a log, numbered and searched from its first line', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, String.raw`printf '10 %%\r100 %%\n'; for i in $(seq 6000); do printf '\033[32mtest case %d\033[0m\n' $i; done; printf 'two\nthree\033[1A\r\033[2KTWO\n\n'; exit 1`, 'pty', 'tests');
    await page.locator('.end', { hasText: 'Failed with exit code 1' }).waitFor();
    await isComplete(page);
    await page.reload();
    await shown('Log').and(page.locator('[aria-pressed=true]')).waitFor();
    await text(/^three$/).waitFor();
    assert.equal(await text(/^TWO$/).count(), 1);
    assert.equal(await text('\u001b').count(), 0);
    await page.locator('.log').focus();
    await page.keyboard.press('Home');
    await text(/^100 %$/).waitFor();
    await page.keyboard.press('/');
    await page.getByLabel('Search the log').fill('test case 1200');
    await marked(/^test case 1200$/).waitFor();
    await page.locator('.search').getByText(/^1 of 1$/).waitFor();
    assert.equal(await page.locator('.line.marked .number').innerText(), '1201');
    await page.waitForURL(/\/output\?line=1201&find=test\+case\+1200$/);
    const color = await marked(/^test case 1200$/).locator('span').evaluate((span) => getComputedStyle(span).color);
    assert.notEqual(color, await page.locator('.log').evaluate((log) => getComputedStyle(log).color));
  });

  await here.fact('a link to a line of a terminal leads to it, and its times are there', async () => {
    const other = await here.pageOf(page.context());
    await other.goto(page.url().replace(/\?.*/, '?line=77'));
    await other.locator('.line.marked', { hasText: /^77test case 76$/ }).waitFor();
    await other.keyboard.press('t');
    await other.locator('.line.marked .time', { hasText: /^\d\d:\d\d:\d\d\.\d{3}$/ }).waitFor();
    await other.keyboard.press('t');
    await other.close();
  });

  await here.fact('the screen of an ended terminal is one click away', async () => {
    await page.keyboard.press('Escape');
    await shown('Screen').click();
    await shows(page, 'test case 6000');
    await page.locator('.end', { hasText: 'Failed with exit code 1' }).waitFor();
    await shown('Log').click();
    await marked(/^test case 1200$/).waitFor(); // as the address says
  });

  await here.fact('the log of a living terminal has what its scrollback lacks, and grows', async () => {
    await startTask(page, 'seq 3000; while read -r line; do echo "line: $line"; done', 'pty', 'long');
    await isLive(page);
    await shows(page, '3000');
    await page.reload();
    await isLive(page);
    await page.getByRole('button', { name: 'Open all of it as a log' }).click();
    await text(/^3000$/).waitFor();
    await page.keyboard.press('Home');
    await text(/^1$/).waitFor();
    await page.keyboard.press('End');
    const other = await here.pageOf(page.context());
    await other.goto(page.url());
    await isLive(other);
    await other.keyboard.type('hello\n');
    await shows(other, 'line: hello');
    await other.close();
    await text(/^line: hello$/).waitFor();
    assert.equal(await page.locator('.line', { hasText: 'line: hello' }).locator('.number').innerText(), '3002');
    await shown('Screen').click();
    await shows(page, 'line: hello');
    await page.keyboard.type('from here\n');
    await shows(page, 'line: from here');
    await stopTask(page);
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
  });

  await here.fact('files are viewed as a log, in colour', async () => {
    await page.getByRole('link', { name: 'Files' }).click();
    await page.locator('.files li', { hasText: 'terminal' }).getByRole('link', { name: 'View' }).click();
    await page.locator('.line.marked', { hasText: /^11$/ }).waitFor();
    await startTask(page, String.raw`printf '\033[31mred\033[0m\n'; echo err >&2`, 'pipes', 'coloured');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await page.getByRole('link', { name: 'Files' }).click();
    await page.locator('.files li', { hasText: 'stderr' }).getByRole('link', { name: 'View' }).click();
    await page.locator('.line.marked', { hasText: /^E1err$/ }).waitFor();
    await page.context().close();
  });
}
