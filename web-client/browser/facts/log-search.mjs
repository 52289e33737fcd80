// The search in a log: in all of it, with its count, marks, and patterns.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { isComplete } from '../ground.mjs';

const LONG = "seq -f 'line %.0f lorem ipsum dolor sit amet consectetur' 1 200000";

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const channel = (name) => page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name });
  const marked = (words) => page.locator('.line.marked .text', { hasText: words });
  const said = (words) => page.locator('.search [role=status]', { hasText: words }).waitFor();
  const searchFor = async (words) => {
    await page.locator('.log').focus();
    await page.keyboard.press('/');
    await page.getByLabel('Search the log').fill(words);
  };
  const highlights = (count) => page.waitForFunction((wanted) => [...CSS.highlights.values()].reduce((sum, { size }) => sum + size, 0) === wanted, count);

  await here.fact('a search shows the first match as one types, with count and marks', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, 'seq 1 120; echo Needle; seq 1 9; echo two needles, needle; echo end', 'pipes', 'needles');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    await searchFor('needle');
    await said(/^1 of 2$/);
    await marked(/^Needle$/).waitFor();
    await page.keyboard.press('Enter');
    await said(/^2 of 2$/);
    await marked('two needles').waitFor();
    await highlights(3);
    await page.keyboard.press('Enter');
    await said(/^1 of 2$/);
    await page.keyboard.press('Shift+Enter');
    await said(/^2 of 2$/);
  });

  await here.fact('a search distinguishes case, and takes a pattern, on request', async () => {
    await page.getByRole('button', { name: 'Match case' }).click();
    await said(/^1 of 1$/);
    await marked('two needles').waitFor();
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await page.getByLabel('Search the log').fill('^(Nee|1\\d)(dle|0)$');
    await said(/^\d of 4$/); // 100, 110, 120 and Needle
    await page.getByLabel('Search the log').fill('^(Nee');
    await said(/^Not a valid pattern: \S/);
    await page.getByLabel('Search the log').fill('^Need');
    await said(/^1 of 1$/);
  });

  await here.fact('a reload and a link keep the search and its line', async () => {
    await page.waitForURL(/\/output\?line=121&find=%5ENeed&regex=1&case=1$/);
    await page.reload();
    await said(/^1 of 1$/);
    await marked(/^Needle$/).waitFor();
    assert.equal(await page.getByLabel('Search the log').inputValue(), '^Need');
    await page.keyboard.press('Escape');
    await page.locator('.log').focus();
  });

  await here.fact('a pattern that takes forever is given up, and the page stays usable', async () => {
    await startTask(page, "printf 'a%.0s' $(seq 1 60); echo b", 'pipes', 'trap');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    await searchFor('(a+)+$');
    await page.getByRole('button', { name: 'Regular expression' }).and(page.locator('[aria-pressed=false]')).click();
    await page.getByRole('button', { name: 'Wrap' }).click();
    await page.locator('.log.wraps').waitFor(); // meanwhile
    await said('This pattern takes too long.');
    await page.getByRole('button', { name: 'Wrap' }).click();
    await page.keyboard.press('Escape');
  });

  await here.fact('a long log of one channel is opened as that channel, and searched from its beginning', async () => {
    await startTask(page, LONG, 'pipes', 'one channel');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    await page.reload();
    await channel('stdout').and(page.locator('[aria-pressed=true]')).waitFor();
    await page.locator('.line .number', { hasText: /^200000$/ }).waitFor();
    await searchFor('line 1234');
    await marked(/^line 1234 lorem/).waitFor();
    await said(/^1 of 111$/);
    assert.equal(await page.locator('.line.marked .number').innerText(), '1234');
  });

  await here.fact('a search of both channels finds what is not loaded, in its channel', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, `${LONG}; echo 'a warning' >&2`, 'pipes', 'both channels');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    await page.reload();
    await page.getByText('Only the latest output is shown').waitFor();
    // The two channels are two pipes: either may be read to its end first.
    await page.locator('.line .text', { hasText: /a warning|^line 200000 / }).first().waitFor();
    await searchFor('line 1234 ');
    await said(/^1 of 1$/);
    await marked(/^line 1234 lorem/).waitFor();
    await channel('stdout').and(page.locator('[aria-pressed=true]')).waitFor();
    await page.keyboard.press('Escape');
    await channel('Both').click();
    await searchFor('a warning');
    await marked('a warning').waitFor();
    await channel('Both').and(page.locator('[aria-pressed=true]')).waitFor();
    await page.getByLabel('Search the log').fill('never written');
    await said(/^not found$/); // in the whole of both channels
    await page.keyboard.press('Escape');
  });

  await here.fact('a search counts the matches of a log that grows', async () => {
    const gate = await here.gate();
    await startTask(page, `echo needle; ${gate.waits}; echo another needle; ${gate.waits}; echo hay`, 'pipes', 'a growing haystack');
    await page.locator('.line .text', { hasText: /^needle$/ }).waitFor();
    await searchFor('needle');
    await said(/^1 of 1$/);
    await gate.open();
    await said(/^1 of 2$/);
    await channel('stdout').click();
    await said(/^1 of 2$/);
    await gate.open();
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await page.context().close();
  });
}
