// Signing in and out.
import assert from 'node:assert/strict';
import { linkOf } from '../chromium.mjs';

export const signedOut = true; // the part signs in itself

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { context, page } = here;

  await here.fact('an invalid link explains how to sign in, and the token signs in', async () => {
    await page.goto(`${here.address}/#token=${'x'.repeat(43)}`);
    await page.getByText('The token of this link is not valid').waitFor();
    await page.waitForURL(`${here.address}/`);
    await page.getByLabel('Access token').fill(linkOf('', here.tokenFile).split('=')[1]);
    await page.getByLabel('Access token').press('Enter');
    await page.getByText('No tasks yet').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Welcome to Penstock').waitFor();
  });

  await here.fact('the link signs in, and leaves no token in the address or readable by scripts', async () => {
    await page.goto('about:blank');
    await page.goto(linkOf(here.address, here.tokenFile));
    await page.getByText('No tasks yet').waitFor();
    await page.waitForURL(`${here.address}/`);
    assert.equal(await page.evaluate(() => document.cookie), '');
    const [cookie] = await context.cookies();
    assert.match(cookie.name, /^penstock-[\w-]{10}$/);
    assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Strict', '/']);
  });

  await here.fact('signing in again in one tab signs in the others, each in place', async () => {
    const others = await here.person(); // a session of its own, which ends here
    const [list, nobody, third] = [await here.pageOf(others), await here.pageOf(others), await here.pageOf(others)];
    await list.goto(linkOf(here.address, here.tokenFile));
    await list.getByText('No tasks yet').waitFor();
    await list.goto(`${here.address}/#/tasks?text=nothing`);
    await list.getByText('No tasks with “nothing”').waitFor();
    await nobody.goto(`${here.address}/#/tasks/nobody`);
    await nobody.getByText('There is no such task').waitFor();
    await nobody.evaluate(() => fetch('/session', { method: 'DELETE' }));
    await nobody.reload();
    for (const each of [list, nobody]) await each.getByText('Welcome to Penstock').waitFor();
    await list.getByLabel('Access token').fill(linkOf('', here.tokenFile).split('=')[1]);
    await list.getByLabel('Access token').press('Enter');
    await list.getByText('No tasks with “nothing”').waitFor();
    await nobody.getByText('There is no such task').waitFor();
    await others.clearCookies();
    for (const each of [list, nobody]) await each.reload();
    for (const each of [list, nobody]) await each.getByText('Welcome to Penstock').waitFor();
    await third.goto(linkOf(here.address, here.tokenFile)); // and so does a link with the token
    await list.getByText('No tasks with “nothing”').waitFor();
    await nobody.getByText('There is no such task').waitFor();
    await others.close();
  });

  await here.fact('a sign-out that does not reach the server says so, and can be retried', async () => {
    const leaving = await here.pageOf(await here.person()); // a session of its own, which ends here
    await leaving.goto(linkOf(here.address, here.tokenFile));
    await leaving.getByText('No tasks yet').waitFor();
    await leaving.route('**/session', (route) => route.abort());
    await leaving.getByRole('button', { name: 'Sign out' }).click();
    const still = leaving.getByRole('dialog', { name: 'You are still signed in' });
    await still.getByText('Cannot reach the server').waitFor();
    await leaving.unroute('**/session');
    await still.getByRole('button', { name: 'Try again' }).press('Enter');
    await leaving.getByText('Welcome to Penstock').waitFor();
    await leaving.context().close();
  });

  await here.fact('when a session expires behind a dialog, the token can be typed at once', async () => {
    const starting = await here.pageOf(await here.person());
    await starting.goto(linkOf(here.address, here.tokenFile));
    await starting.getByText('No tasks yet').waitFor();
    await starting.keyboard.press('n');
    await starting.getByRole('dialog', { name: 'Start a task' }).waitFor();
    await starting.evaluate(() => fetch('/session', { method: 'DELETE' }));
    await starting.getByText('Welcome to Penstock').waitFor();
    await starting.keyboard.type(linkOf('', here.tokenFile).split('=')[1]);
    await starting.keyboard.press('Enter');
    await starting.getByText('No tasks yet').waitFor();
    await starting.context().close();
  });
}
