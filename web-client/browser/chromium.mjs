// A real Chromium, and common actions of a user.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const INSTALL_WITHIN_MS = 5 * 60_000;
const PLACES = [
  process.env.PENSTOCK_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** @param {string[]} options of the command line */
export async function launch(options = []) {
  const executablePath = found() ?? install();
  if (executablePath === undefined)
    throw new Error(
      `No Chromium was found at ${PLACES.filter(Boolean).join(', ')}: install it, or say where it is with PENSTOCK_CHROMIUM.`,
    );
  return chromium.launch({ executablePath, args: ['--no-sandbox', ...options] });
}

function found() {
  return PLACES.find((place) => place !== undefined && existsSync(place));
}

/** Installs Debian's Chromium on a build machine, where the user is root. */
function install() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  const options = {
    stdio: 'inherit',
    timeout: INSTALL_WITHIN_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  // One at a time: the shares of the facts start together, and apt-get refuses to run twice.
  const apt = (...words) => spawnSync('flock', [join(tmpdir(), 'penstock-apt-get'), 'apt-get', ...words], options).status;
  const asked = ['install', '-y', '--no-install-recommends', 'chromium'];
  if (apt(...asked) !== 0) {
    apt('update'); // a new machine has no package lists yet
    apt(...asked);
  }
  return found();
}

/** The sign-in link that `./penstock up` prints. */
export function linkOf(address, tokenFile) {
  return `${address}/#token=${readFileSync(tokenFile, 'utf8').trim()}`;
}

/** The page shows the task that its address names, as a whole: from now on, its keys have their effects. */
export async function isOpen(page) {
  const id = await page.evaluate(() => /^#\/tasks\/([\w-]+)/.exec(location.hash)?.[1]);
  await page.locator(`.task[data-id="${id}"][aria-busy=false]`).waitFor();
}

/** Starts a task through its dialog, and waits until its page is shown. */
export async function startTask(page, command, mode, title = '', keeps = '1 GiB', label = '') {
  await page.locator('.task[aria-busy=true]').waitFor({ state: 'detached' }); // no key is a shortcut before
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Start a task' });
  await dialog.getByLabel('Command').fill(command);
  await dialog.getByLabel(mode === 'pty' ? 'Terminal – interactive' : 'Background').check();
  await openOptions(dialog);
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Label').fill(label);
  await dialog.getByLabel('Output limit').selectOption(keeps);
  await dialog.getByLabel('Command').press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await isOpen(page);
}

/** Unfolds the options of the dialog that starts a task. */
export async function openOptions(dialog) {
  if (!(await dialog.locator('.options').evaluate((each) => each.open))) await dialog.getByText('Options').click();
}

/** Starts a task over HTTP, as another client would, and returns its id. */
export async function spawnTask(page, command, fields = {}) {
  return page.evaluate(
    async (task) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch('/tasks', { method: 'POST', headers, body: JSON.stringify(task) });
      if (answer.status !== 201) throw new Error(await answer.text());
      return (await answer.json()).task_id;
    },
    { tool: 'bash', args: { command }, ...fields },
  );
}

/** Calls a tool over HTTP, as another client would. */
export async function callTool(page, name, parameters) {
  return page.evaluate(
    async ([path, body]) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
    [`/tools/${name}`, parameters],
  );
}

/** Starts the usual agent over HTTP, and returns the id of its task. */
export async function startAgent(page, session, title, prompt, fields = {}) {
  const { task_id: short } = await callTool(page, 'background_task', { session_id: session, description: title, prompt, ...fields });
  const tasks = await page.evaluate(async (wanted) => (await fetch(`/tasks?session=${wanted}`)).json(), session);
  return tasks.find((each) => each.task_id.startsWith(short.replace('bg_', ''))).task_id;
}

/** Stops the shown task by its button and the dialog. */
export async function stopTask(page) {
  await page.locator('.stop').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
}
