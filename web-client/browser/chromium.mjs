// A real Chromium, and the ways of a person through the pages.
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

/** On a machine for builds, where one is root and there is nothing yet: Debian's. */
function install() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  const options = {
    stdio: 'inherit',
    timeout: INSTALL_WITHIN_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  // One at a time: the shares of the facts start together, and apt-get refuses a second of itself.
  const apt = (...words) => spawnSync('flock', [join(tmpdir(), 'penstock-apt-get'), 'apt-get', ...words], options).status;
  const asked = ['install', '-y', '--no-install-recommends', 'chromium'];
  if (apt(...asked) !== 0) {
    apt('update'); // a new machine may not know yet what there is
    apt(...asked);
  }
  return found();
}

/** The link that `./penstock up` shows to who starts it. */
export function linkOf(address, tokenFile) {
  return `${address}/#token=${readFileSync(tokenFile, 'utf8').trim()}`;
}

/** Starts a task through its dialog, with the keyboard alone. */
export async function startTask(page, command, mode, title = '', keeps = '1 GiB', label = '') {
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Start a task' });
  await dialog.getByLabel('Command').fill(command);
  await dialog.getByLabel(mode === 'pty' ? 'a terminal' : 'the background').check();
  await dialog.getByLabel('Title').fill(title);
  await dialog.getByLabel('Label').fill(label);
  await dialog.getByLabel('Keeps').selectOption(keeps);
  await dialog.getByLabel('Command').press('Enter');
  await dialog.waitFor({ state: 'detached' });
}

/** Stops the task that is shown: its button asks first. */
export async function stopTask(page) {
  await page.locator('.stop').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
}
