// The list, and finding tasks.
import { isComplete } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { page } = here;

  await here.fact('the list finds tasks by their titles, with the keyboard', async () => {
    await page.keyboard.press('g');
    await page.locator('.rows li').nth(2).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('AN ECHO');
    await page.locator('.rows li').nth(1).waitFor({ state: 'detached' });
    await page.getByLabel('Search titles').blur();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'an echo' }).waitFor();
    await page.locator('.end', { hasText: 'Stopped after' }).waitFor();
    await isComplete(page);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('count');
    await page.getByRole('option', { name: 'counting' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'counting' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
  });

  await here.fact('a task that is not there is said to be so', async () => {
    await page.goto(`${here.address}/#/tasks/nobody`);
    await page.getByText('There is no such task').waitFor();
  });
}
