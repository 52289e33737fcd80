// The main views as pictures, for the documents: `npm run screenshots -- ADDRESS TOKEN_FILE FOLDER`, beside a fresh `./penstock up`.
import { join } from 'node:path';
import { launch, linkOf, spawnTask, startAgent, startTask, stopTask } from './chromium.mjs';
import { allText, drawn } from './ground.mjs';

const [address = 'http://127.0.0.1:7341', tokenFile = '', folder = '../docs/screenshots'] = process.argv.slice(2);
const COLOURS = String.raw`printf '\033[1;34m~/penstock\033[0m \033[32m$\033[0m npm test\n\n'; printf ' \033[32m✓\033[0m src/attach/wire.test.ts \033[2m(10 tests) 6 ms\033[0m\n \033[32m✓\033[0m src/attach/attachment.test.ts \033[2m(11 tests) 134 ms\033[0m\n \033[31m✗\033[0m src/log/ansi.test.ts \033[2m(9 tests) 12 ms\033[0m\n\n   \033[41;97m FAIL \033[0m colours begin and end where they are told to\n   \033[31m- expected 1\033[0m\n   \033[32m+ received 0\033[0m\n\n \033[1mTests\033[0m  \033[31m1 failed\033[0m · \033[32m215 passed\033[0m · 216\n \033[1mTime\033[0m   5.53 s\n\n\n'; exec env PS1='\[\033[1;34m\]~/penstock\[\033[0m\] \[\033[32m\]$\[\033[0m\] ' bash --norc -i`;
const TESTS = String.raw`for i in $(seq 1 160); do printf 'test %3d ok in %d ms\n' $i $((i * 7 % 40)); [ $((i % 9)) = 0 ] && echo "slow: $((i * 31)) ms in test $i"; [ $((i % 70)) = 0 ] && echo "FAILED: test $i: expected 1, received 0" >&2; done; sleep 600`;
const LOG = String.raw`for i in $(seq 1 46); do printf '\033[2m12:00:%02d\033[0m \033[32mINFO\033[0m  request %d answered in \033[36m%d ms\033[0m\n' $((i % 60)) $i $((i * 7 % 40)); [ $((i % 17)) = 0 ] && printf '12:00:%02d \033[33mWARN\033[0m  the cache is cold, reading from the disk\n' $((i % 60)) >&2; [ $i = 38 ] && printf '12:00:38 \033[1;31mERROR\033[0m upstream closed the connection; trying again in 2 s\n' >&2; done; sleep 600`;

const REVIEW = `/plan Read the code; Run the tests; Report
/think The parser has a buffer of its own, so look there first.
/tool read src/parser.c
/tool search memcpy
/usage 18200 940 0.0431
/say The parser copies a text without looking at its length:
/say 
/say \`\`\`
/say memcpy(buffer, text, length);  // parser.c:112
/say \`\`\`
/say 
/say Next, the tests.
/sleep 600000`;

const browser = await launch(['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--force-color-profile=srgb']);

async function person(colorScheme, phone = false) {
  const context = await browser.newContext({
    viewport: phone ? { width: 390, height: 760 } : { width: 1280, height: 760 },
    deviceScaleFactor: 1,
    colorScheme,
    ...(phone ? { isMobile: true, hasTouch: true } : {}),
  });
  const page = await context.newPage();
  await page.goto(linkOf(address, tokenFile));
  await page.locator('.list').waitFor();
  return page;
}

async function shoot(page, name) {
  await drawn(page);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
  console.log(`${name}.png`);
}

const isLive = async (page) => {
  await page.locator('.connection', { hasText: 'live' }).waitFor();
  await isSettled(page);
};
/** A terminal has its final size; a log has none. */
const isSettled = (page) => page.locator('.screen[data-size=settled], .log[aria-busy=false]').waitFor();
/** A replay has reached the place that its address names. */
const isAt = (page, seq) => page.waitForFunction((wanted) => document.querySelector('.replay')?.dataset.seq === wanted, String(seq));
/** The task has ended, and its page is complete, so that letters are shortcuts. */
const isOver = async (page) => {
  await page.locator('.end:not([hidden])').waitFor();
  await page.locator('.connection', { hasText: 'complete' }).waitFor();
};

try {
  const page = await person('light');
  await spawnTask(page, 'sleep 600', { title: 'Nightly import', timeout_secs: 1 });
  for (const [command, title, label] of [
    ['echo added 412 packages in 9 s', 'npm ci'],
    ["echo collected 216 items; echo 'FAILED tests/unit/test_parser.py::test_wide - assert 3 == 2' >&2; exit 1", 'pytest -q tests/unit', 'pr-42'],
    ['seq 1 400000; echo indexed 400000 documents in 1 s', 'Index the archive', 'archive-2026-11'],
    ["echo compiling; echo 'src/main.c:12:5: error: expected expression before } token' >&2; exit 2", 'make -j4 all', 'pr-42'],
    ['echo Plan: 3 to add, 1 to change, 0 to destroy.', 'terraform plan -out=plan-44'],
  ]) {
    await startTask(page, command, 'pipes', title, '1 GiB', label);
    await isOver(page);
  }
  await page.goto(`${address}/#/tasks`);
  await page.locator('.rows li', { hasText: 'make -j4' }).locator('a.row').click();
  await isOver(page);
  await page.keyboard.press('d');
  await page.getByRole('dialog', { name: 'Details' }).getByText('allows').waitFor();
  await shoot(page, 'details');
  await page.keyboard.press('Escape');
  await spawnTask(page, "echo 'Step 12/14 : COPY --from=build /out/service /usr/local/bin/service'; sleep 600", { title: 'docker build -t registry.internal/team/service-payments:1.42.0-rc1 -f deploy/Dockerfile .', label: 'release-1.42', origin_session_id: 'release' });
  await startTask(page, 'while sleep 30; do :; done', 'pipes', 'Watch the queue');
  await isLive(page);
  await stopTask(page);
  await isOver(page);
  await startTask(page, LOG, 'pipes', 'API server');
  await page.locator('.text', { hasText: 'request 46' }).waitFor();
  const log = page.url();
  await shoot(page, 'log');
  await startTask(page, COLOURS, 'pty', 'npm test', '1 GiB', 'pr-42');
  await isLive(page);
  const terminal = page.url();
  await page.keyboard.type('git status --short');
  while (!(await allText(page)).endsWith('git status --short'));
  await shoot(page, 'terminal');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.locator('.timeline li', { hasText: 'Typed' }).waitFor();
  await shoot(page, 'timeline');
  await page.goto(terminal);
  await page.goto(`${terminal}/replay?seq=20`);
  await page.locator('.replay .figure', { hasText: '0:0' }).waitFor();
  await isAt(page, 20);
  await shoot(page, 'replay');
  await page.goto(`${address}/#/tasks`);
  await page.locator('.rows li').nth(8).waitFor();
  await page.locator('.chips .failed .number:not(:empty)').waitFor();
  await shoot(page, 'tasks');
  await page.keyboard.press('n');
  await page.getByRole('dialog', { name: 'Start a task' }).getByLabel('Command').fill('npm run build -- --watch');
  await shoot(page, 'start');
  await page.keyboard.press('Escape');

  const inSession = (session, title, command, more = {}) => spawnTask(page, command, { title, origin_session_id: session, ...more });
  const ends = (session, count) => page.locator('.sessions .rows li', { hasText: session }).getByText(`${count} ended`).waitFor();
  await page.goto(`${address}/#/sessions`);
  await inSession('nightly', 'Back up the database', 'sleep 0.2');
  await inSession('nightly', 'Rotate the logs', 'true');
  await inSession('review-pr-42', 'Lint', 'exit 2', { label: 'pr-42' });
  await inSession('docs', 'Check the links', 'sleep 600');
  await inSession('agent-7', 'Unit tests', 'echo 216 passed', { label: 'tests' });
  await inSession('agent-7', 'Type check', 'echo "src/log/view.ts(44,3): error TS2322"; exit 2', {
    watch: [{ regex: 'error TS\\d+', event: 'type error' }],
  });
  await ends('agent-7', 2);
  const watched = await inSession('agent-7', 'Integration tests', TESTS, {
    watch: [{ regex: 'FAILED: .*', event: 'failed' }, { regex: 'slow: \\d+ ms', event: 'slow', stream: 'stdout' }],
  });
  await page.goto(`${address}/#/tasks/${watched}`);
  await page.locator('.hit-steps', { hasText: '19 hits' }).waitFor();
  for (let i = 0; i < 3; i++) await page.keyboard.press('h');
  await page.locator('.line.marked', { hasText: 'slow' }).waitFor();
  await page.locator('.hit-steps', { hasText: 'hit 3' }).waitFor();
  await shoot(page, 'log-hits');
  await page.getByRole('link', { name: 'Watchers' }).click();
  await page.locator('.found li').nth(18).waitFor();
  await shoot(page, 'watchers');
  await page.goto(`${address}/#/sessions`);
  await page.locator('.sessions .rows li').nth(3).waitFor();
  await page.locator('#sessions .count:not([hidden])').waitFor();
  await shoot(page, 'sessions');
  await page.goto(`${address}/#/sessions/agent-7/mailbox`);
  await page.locator('.items li').nth(5).waitFor();
  await shoot(page, 'mailbox');

  const review = await startAgent(page, 'agent-7', 'Review the parser', REVIEW, { batch_id: 'reviews' });
  await startAgent(page, 'agent-7', 'Review the lexer', '/sleep 600000', { batch_id: 'reviews' });
  await startAgent(page, 'agent-7', 'Find the old issues', '/sleep 600000', { parent_task_id: review });
  await page.goto(`${address}/#/tasks/${review}`);
  await page.locator('.said', { hasText: 'Next' }).waitFor();
  await page.locator('.relatives li').nth(1).waitFor();
  await shoot(page, 'agent');

  const dark = await person('dark');
  await dark.locator('.rows li').nth(5).waitFor();
  await shoot(dark, 'tasks-dark');
  await dark.goto(terminal);
  await isLive(dark);
  await shoot(dark, 'terminal-dark');
  await dark.goto(log);
  await dark.locator('.text', { hasText: 'request 46' }).waitFor();
  await shoot(dark, 'log-dark');

  await page.goto(terminal);
  await isLive(page);
  await dark.goto(terminal);
  await isLive(dark);
  await dark.setViewportSize({ width: 800, height: 420 });
  await dark.locator('.screen').click();
  await page.locator('.screen.framed').waitFor();
  await page.locator('.size').click();
  await page.getByRole('dialog', { name: 'Viewers' }).getByLabel('Smallest').check();
  await page.locator('.size', { hasText: 'smallest' }).waitFor();
  for (const each of [page, dark]) await isSettled(each);
  await shoot(page, 'company');
  await page.keyboard.press('Escape');
  await page.locator('.screen').click();
  await page.keyboard.press('Control+Shift+k');
  await page.getByRole('option').nth(7).waitFor();
  await shoot(page, 'palette');
  await page.keyboard.type('Terminal size: latest');
  await page.keyboard.press('Enter');
  await dark.close();

  const phone = await person('light', true);
  await phone.goto(`${address}/#/sessions/agent-7/mailbox`);
  await phone.locator('.items li').nth(5).waitFor();
  await shoot(phone, 'phone-mailbox');
  await phone.goto(`${address}/#/tasks`);
  await phone.locator('.rows li').nth(5).waitFor();
  await shoot(phone, 'phone-tasks');
  await phone.goto(terminal);
  await isLive(phone);
  await shoot(phone, 'phone-terminal');
  await phone.goto(`${terminal}/replay?seq=25`);
  await isAt(phone, 25);
  await shoot(phone, 'phone-replay');

  const stranger = await (await browser.newContext({ viewport: { width: 1280, height: 760 } })).newPage();
  await stranger.goto(address);
  await stranger.locator('.sign-in').waitFor();
  await shoot(stranger, 'sign-in');
} finally {
  await browser.close();
}
