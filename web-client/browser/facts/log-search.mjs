// A search in a log that is shown from its end: it does not report that there is no match before it has searched everything.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { isComplete } from '../ground.mjs';

const LONG = "seq -f 'line %.0f lorem ipsum dolor sit amet consectetur' 1 200000";

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const channel = (name) => page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name });
  const marked = (words) => page.locator('.line.marked .text', { hasText: words });
  const searchFor = async (words) => {
    await page.locator('.log').focus();
    await page.keyboard.press('/');
    await page.getByLabel('Search the log').fill(words);
    await page.keyboard.press('Enter');
  };

  await here.fact('a long log of one channel is opened as that channel, and searched from its beginning', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, LONG, 'pipes', 'one channel');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    await page.reload();
    await channel('stdout').and(page.locator('[aria-pressed=true]')).waitFor();
    await page.locator('.line .number', { hasText: /^200000$/ }).waitFor();
    await searchFor('line 1234');
    await marked(/^line 1234 lorem/).waitFor();
    assert.equal(await page.locator('.line.marked .number').innerText(), '1234');
  });

  await here.fact('a search of both channels continues in each whole channel when the end has no match', async () => {
    await page.goto(`${here.address}/`);
    await startTask(page, `${LONG}; echo 'a warning' >&2`, 'pipes', 'both channels');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    await page.reload();
    await page.getByText('Only the latest output is shown').waitFor();
    // The two channels are two pipes: either may be read to its end first.
    await page.locator('.line .text', { hasText: /a warning|^line 200000 / }).first().waitFor();
    await searchFor('line 1234 ');
    await page.locator('.search').getByText('line 1234 of stdout').waitFor();
    await marked(/^line 1234 lorem/).waitFor();
    await channel('stdout').and(page.locator('[aria-pressed=true]')).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.search').getByText(/^no more matches$/).waitFor();
    await page.keyboard.press('Escape');
    await channel('Both').click();
    await searchFor('never written');
    await page.locator('.search').getByText(/^not found$/).waitFor(); // in the whole of both channels
    await page.keyboard.press('Escape');
  });

  await here.fact('a search with a match in the end offers to search everything', async () => {
    await searchFor('line 200000');
    await marked(/^line 200000 lorem/).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.search').getByText('no more matches in the loaded part').waitFor();
    await page.getByLabel('Search the log').fill('0000 lorem');
    await page.keyboard.press('Shift+Enter');
    await marked(/^line 200000 lorem/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Search all' }).click();
    await page.locator('.search').getByText('line 10000 of stdout').waitFor();
    await marked(/^line 10000 lorem/).waitFor();
  });

  await here.fact('a search corrects the number of lines when the log grows', async () => {
    const gate = await here.gate();
    await startTask(page, `echo needle; ${gate.waits}; echo hay`, 'pipes', 'a growing haystack');
    await page.locator('.line .text', { hasText: /^needle$/ }).waitFor();
    await channel('stdout').click();
    await searchFor('needle');
    await page.locator('.search').getByText(/^line 1 of 1$/).waitFor();
    await gate.open();
    await page.locator('.search').getByText(/^line 1 of 2$/).waitFor();
    await page.context().close();
  });
}
