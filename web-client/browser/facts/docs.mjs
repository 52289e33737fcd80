// The page for trying the API.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  await here.fact('every operation has documentation and can be tried', async () => {
    const page = await here.pageOf(await here.person());
    await page.goto(`${here.address}/docs`);
    await page.getByLabel('Access token').fill((await readFile(here.tokenFile, 'utf8')).trim());
    await page.getByText('accepted, kept in this tab').waitFor();
    assert.ok((await page.locator('details.operation').count()) > 15);

    await page.getByRole('link', { name: 'POST /tasks', exact: true }).click();
    const spawn = page.locator('#spawnTask');
    await spawn.getByLabel('Body').fill('{"tool": "bash", "args": {"command": "echo tried out"}}');
    await spawn.getByRole('button', { name: 'Send' }).click();
    await spawn.locator('.status', { hasText: '201' }).waitFor();
    await spawn.locator('.answer', { hasText: '"task_id"' }).waitFor(); // the body comes after the status
    const id = /"task_id": "([^"]+)"/.exec(await spawn.locator('.answer').innerText())?.[1];
    assert.ok(id);

    // The next request is filled in already, and an error is shown.
    await page.locator('#contents').getByRole('link', { name: 'GET /tasks/{id}/output', exact: true }).click();
    const output = page.locator('#taskOutput');
    assert.equal(await output.locator('input[name=id]').inputValue(), id);
    await output.locator('input[name=wait]').fill('5000');
    await output.getByRole('button', { name: 'Send' }).click();
    await output.locator('.answer', { hasText: 'tried out' }).waitFor();

    // What the page shows for a shell does the same there.
    const folder = await mkdtemp(join(tmpdir(), 'penstock-docs-'));
    await writeFile(join(folder, 'penstock'), `#!/bin/sh\n[ "$*" = token ] && cat '${resolve(here.tokenFile)}'\n`, { mode: 0o755 });
    const shell = async (card) => JSON.parse(execFileSync('sh', ['-c', await card.locator('.curl').innerText()], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    assert.equal((await shell(output)).content, 'tried out\n');
    assert.match((await shell(spawn)).task_id, /^[\w-]+$/);
    await rm(folder, { recursive: true });
    await output.locator('input[name=id]').fill('nobody');
    await output.getByRole('button', { name: 'Send' }).click();
    await output.locator('.status', { hasText: '404' }).waitFor();
    await page.context().close();
  });
}
