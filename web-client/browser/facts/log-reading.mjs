// Reading a log: links to lines, times, addresses, groups, errors, copying.
import assert from 'node:assert/strict';
import { startTask } from '../chromium.mjs';
import { copied, drawn, isComplete, isLive } from '../ground.mjs';

/** The two channels are two pipes: a line of one comes between those of the other where it waits for them. */
const buildOf = ({ waits }) =>
  String.raw`echo start; echo 'warning: old' >&2; ${waits}; echo '::group::Install packages'; seq 1 30; echo '::endgroup::'; printf '\033[44;97m INFO \033[0m see https://example.com/build/42, not javascript:alert(1)\n'; echo 'test 1: ok, 0 errors'; ${waits}; echo 'main.c:12: error: expected ;' >&2; echo after; exit 2`;

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const page = await here.pageOf(await here.signedIn());
  const channel = (name) => page.getByRole('group', { name: 'What is shown' }).getByRole('button', { name });
  const number = (name) => page.locator('.line .number', { hasText: new RegExp(`^${name}$`) });
  const marked = page.locator('.line.marked');
  const line = (words) => page.locator('.line', { hasText: words });
  const text = (words) => page.locator('.line .text', { hasText: words });

  await here.fact('a line has one number in all views, and a click links to it', async () => {
    await page.goto(`${here.address}/`);
    const gate = await here.gate();
    await startTask(page, buildOf(gate), 'pipes', 'build');
    for (const words of ['start', 'warning: old']) await text(new RegExp(`^${words}$`)).waitFor();
    await gate.open();
    await text('test 1').waitFor();
    await gate.open();
    await page.locator('.end', { hasText: 'Failed with exit code 2' }).waitFor();
    await isComplete(page);
    await page.reload();
    await isComplete(page);
    const names = await page.locator('.line .number').allInnerTexts();
    assert.equal(new Set(names).size, names.length, `${names}`);
    await line('main.c:12').locator('.number').click();
    await page.waitForURL(/\/output\?line=E2$/);
    await marked.filter({ hasText: /^E2main\.c:12/ }).waitFor();
    await channel('stderr').click();
    await line('main.c:12').locator('.number', { hasText: /^E2$/ }).waitFor();
    await line('main.c:12').locator('.number').click();
    await page.waitForURL(/\?show=stderr&line=E2$/);
    await page.reload();
    await channel('stderr').and(page.locator('[aria-pressed=true]')).waitFor();
    await marked.filter({ hasText: 'main.c:12' }).waitFor();
    await channel('Both').click();
    await page.waitForURL(/\/output$/);
  });

  await here.fact('several lines are marked by a click with Shift, and copied', async () => {
    const copy = () => copied(page, () => page.getByRole('button', { name: 'Copy', exact: true }).click());
    await isComplete(page);
    const all = await copy();
    assert.ok(all.includes('start\n') && all.includes('\n17\n') && all.includes('\nafter\n'), all);
    assert.equal(all.split('\n').length, 39);
    await number(36).click();
    await marked.first().waitFor();
    await number(34).click({ modifiers: ['Shift'] });
    await page.waitForURL(/\?line=34-36$/);
    await page.waitForFunction(() => document.querySelectorAll('.line.marked').length >= 3);
    const some = await copy();
    assert.ok(some.startsWith(' INFO  see https://example.com/build/42'), some);
  });

  await here.fact('a group is folded, opens by a click or a link, and shows its size', async () => {
    const group = page.getByRole('button', { name: /^Install packages/ });
    await group.and(page.locator('[aria-expanded=false]')).getByText('30 lines').waitFor();
    assert.equal(await text(/^17$/).count(), 0);
    assert.equal(await text('::endgroup::').count(), 0);
    await group.click();
    await text(/^17$/).waitFor();
    await number(2).locator('..').locator('.group').waitFor();
    await page.locator('.log').focus();
    await page.keyboard.press('z');
    await text(/^17$/).waitFor({ state: 'detached' });
    await page.goto(`${page.url().replace(/\?.*/, '')}?line=19`); // a line in the group
    await marked.filter({ hasText: /^1917$/ }).waitFor();
  });

  await here.fact('addresses are links, and only those of the web', async () => {
    await page.locator('.log').press('End');
    const links = page.locator('.line .text a');
    await links.first().waitFor();
    assert.deepEqual(
      await links.evaluateAll((all) => all.map((each) => [each.textContent, each.href, each.target, each.rel])),
      [['https://example.com/build/42', 'https://example.com/build/42', '_blank', 'noopener noreferrer']],
    );
  });

  await here.fact('colours of a log have enough contrast in light and dark', async () => {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      const [text, ground] = await page.locator('.line .text span', { hasText: 'INFO' }).evaluate((span) => {
        const { color, backgroundColor } = getComputedStyle(span);
        return [color, backgroundColor];
      });
      assert.ok(contrast(text, ground) >= 4.5, `${text} on ${ground}, ${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: null });
  });

  await here.fact('the first line of a log does not touch the head', async () => {
    await page.locator('.log').press('Home');
    await page.locator('.log[aria-busy=false]').waitFor();
    const [head, first] = await page.evaluate(() => [document.querySelector('.task-head').getBoundingClientRect().bottom, document.querySelector('.log').getBoundingClientRect().top]);
    assert.ok(first >= head - 1);
    const place = await line('start').first().boundingBox();
    assert.ok(place.y >= first + 6, `the first line begins at ${place.y}, the log at ${first}`);
  });

  await here.fact('a key leads to the first error, and no other line that has the word', async () => {
    await page.reload();
    await isComplete(page);
    await page.getByRole('button', { name: 'Next error' }).waitFor();
    await page.locator('.log').focus();
    await page.keyboard.press('x');
    await marked.filter({ hasText: 'main.c:12: error' }).waitFor();
    await page.getByText('error 1 of 1').waitFor();
  });

  await here.fact('a key shows when each line was written', async () => {
    const gate = await here.gate();
    await startTask(page, `echo before; ${gate.waits}; echo behind; sleep 600`, 'pipes', 'times');
    await text(/^before$/).waitFor();
    await page.locator('.log').focus();
    await page.keyboard.press('t');
    const time = (words) => line(words).locator('.time', { hasText: /^\d\d:\d\d:\d\d\.\d{3}$/ });
    await time('before').waitFor();
    await gate.open();
    await time('behind').waitFor();
    const [before, behind] = [await time('before').innerText(), await time('behind').innerText()];
    assert.ok(before < behind || before.startsWith('23:'), `${before} ${behind}`);
    await page.keyboard.press('t');
    await page.locator('.line .time').first().waitFor({ state: 'detached' });
  });

  await here.fact('new lines are counted while an earlier part is in view', async () => {
    const gate = await here.gate();
    await startTask(page, `seq 1 200; ${gate.waits}; seq 201 440; ${gate.waits}; echo end`, 'pipes', 'counted');
    await text(/^200$/).waitFor();
    await isLive(page);
    const follow = page.getByRole('button', { name: 'Follow', exact: true });
    await follow.and(page.locator('[aria-pressed=true]')).waitFor();
    await page.locator('.log').focus();
    await page.keyboard.press('Home');
    await text(/^1$/).waitFor();
    await gate.open();
    const newer = page.getByRole('button', { name: '↓ 240 new lines' });
    await newer.click();
    await text(/^440$/).waitFor();
    await newer.waitFor({ state: 'hidden' });
    await follow.and(page.locator('[aria-pressed=true]')).waitFor();
    await gate.open();
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await follow.waitFor({ state: 'hidden' }); // nothing is to come
  });

  await here.fact('lines have their numbers although the log is shown from its end', async () => {
    await startTask(page, "seq -f 'line %.0f lorem ipsum dolor sit amet consectetur' 1 120000; echo 'on stderr' >&2", 'pipes', 'numbered');
    await page.locator('.end', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
    await page.reload();
    await page.getByText('Only the latest output is shown').waitFor();
    await isComplete(page);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.line[data-channel=stdout]')].some(
        (each) => each.querySelector('.number').textContent === /^line (\d+) /.exec(each.querySelector('.text').textContent)?.[1],
      ),
    );
    await drawn(page);
    await page.context().close();
  });
}

/** The contrast of two colours, as WCAG defines it. */
function contrast(...colours) {
  const [one, other] = colours.map((colour) => {
    const [r, g, b] = colour.match(/[\d.]+/g).map((each) => (each / 255 <= 0.04045 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  });
  return Math.max(one, other) / Math.min(one, other);
}
