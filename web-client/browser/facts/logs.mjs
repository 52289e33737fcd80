// Logs of tasks in the background.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { isComplete } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { page } = here;

  await here.fact('a log tells its channels apart, in colour', async () => {
    await startTask(page, "echo out; echo err >&2; printf '\\033[31mred\\033[0m\\n'; exit 3", 'pipes');
    await page.locator('.line[data-channel=stderr]', { hasText: 'err' }).waitFor();
    await page.locator('.line[data-channel=stdout] .text span', { hasText: 'red' }).waitFor();
    await page.locator('.end', { hasText: 'Ended with exit code 3' }).waitFor();
  });

  await here.fact('of a long log only what is looked at is fetched', async () => {
    await startTask(page, 'seq 1 2000000', 'pipes', 'counting');
    await page.locator('.end', { hasText: 'Ended well' }).waitFor();
    await page.locator('.line .text', { hasText: /^2000000$/ }).waitFor();
    await page.reload();
    await page.getByText('Only the newest output is shown here').waitFor();
    const fetched = [];
    page.on(
      'response',
      (response) =>
        void response.body().then(
          (body) => fetched.push(body.length),
          () => undefined,
        ),
    );
    await page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name: 'stdout' }).click();
    await page.locator('.line .number', { hasText: /^2000000$/ }).waitFor();
    await page.locator('.log').evaluate((log) => (log.scrollTop = 0));
    await page.locator('.line .text', { hasText: /^1$/ }).waitFor();
    await page.locator('.log').evaluate((log) => (log.scrollTop = log.scrollHeight / 2));
    await page
      .locator('.line .text', { hasText: /^10000\d\d$/ })
      .first()
      .waitFor();
    assert.ok(fetched.reduce((sum, bytes) => sum + bytes, 0) < 100_000, `${fetched} bytes were fetched`);
  });

  await here.fact('output beyond what is kept holds up nobody, and is said to be missing', async () => {
    await startTask(page, 'seq 1 4000000', 'pipes', 'too much', '16 MiB');
    await page.locator('.end', { hasText: 'the first 16.0 MiB were kept' }).waitFor();
    await isComplete(page);
  });
}
