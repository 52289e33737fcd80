// Agent tasks, with the sample agent: its conversation, steering, resuming, questions, and related tasks.
import assert from 'node:assert/strict';
import { callTool, isOpen, startAgent, stopTask } from '../chromium.mjs';
import { drawn, isComplete, longestTask, scrolls } from '../ground.mjs';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  const { page } = here;
  const session = `agents-${Date.now()}`;
  const tool = (name, parameters) => callTool(page, name, { session_id: session, ...parameters });
  /** Starts an agent in the background and opens its page. */
  const begin = async (title, prompt, fields = {}) => {
    const id = await startAgent(page, session, title, prompt, fields);
    await page.goto(`${here.address}/#/tasks/${id}`);
    await isOpen(page);
    await page.getByRole('region', { name: 'Conversation' }).waitFor();
    return id;
  };
  const talk = page.getByRole('region', { name: 'Conversation' });
  const said = page.locator('.said');
  const beside = page.getByRole('complementary', { name: 'About this agent' });
  const message = page.getByRole('textbox', { name: 'Message to the agent' });
  /** The server has the message. It may have said so after the agent has answered. */
  const isSent = async () => page.waitForFunction((field) => field.value === '', await message.elementHandle());
  const end = page.locator('.end:not([hidden])');

  await here.fact('an agent task opens as its conversation', async () => {
    await begin('look around', '/plan look; answer\n/think first the code\n/tool look README.md\n/usage 1200 340 0.0051\n/say Here it is:\n/say ```\n/say int x;\n/say ```\n/say done');
    assert.equal(await page.getByRole('link', { name: 'Conversation' }).getAttribute('aria-current'), 'page');
    await end.getByText('Succeeded').waitFor();
    const turn = page.locator('.turns .turn');
    await turn.getByText('Prompt', { exact: true }).waitFor();
    assert.match(await turn.innerText(), /user:token[^]*\/think first the code/);
    await said.getByText('done').waitFor();
    assert.equal((await said.locator('pre code').innerText()).trim(), 'int x;');
    const thought = page.locator('.thought');
    assert.equal(await thought.getByText('first the code').isVisible(), false);
    await thought.getByText('Thought').click();
    await thought.getByText('first the code').waitFor();
    const call = page.locator('.call', { hasText: 'look' });
    await call.getByText('completed').waitFor();
    await call.getByText('Output').click();
    await call.locator('pre', { hasText: 'README.md' }).waitFor();
    await beside.getByText('sample', { exact: true }).waitFor();
    await beside.locator('.plan li').nth(1).waitFor();
    assert.match(await beside.innerText(), /1,200 tokens in · 340 out · \$0\.0051/);
    await call.getByRole('link', { name: /in the timeline$/ }).click();
    await page.locator('.timeline li.marked', { hasText: /Tool call.*look/ }).waitFor();
  });

  await here.fact('a message steers an agent at work', async () => {
    await begin('long work', '/say begun\n/sleep 120000');
    await said.getByText('begun').waitFor();
    await message.fill('/say first line\n/say steered');
    await message.press('Shift+Enter');
    assert.match(await message.inputValue(), /steered\n$/);
    await message.press('Enter');
    await page.locator('.turn', { hasText: 'Steer' }).waitFor();
    await said.getByText('steered').waitFor();
    await isSent();
    await end.getByText('Succeeded').waitFor();
  });

  await here.fact('an agent that has finished is resumed in the same place', async () => {
    await page.getByText('Enter sends').waitFor();
    await message.fill('/history');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.turn', { hasText: 'Resume' }).waitFor();
    await said.getByText('steered').last().waitFor();
    await page.locator('.event', { hasText: 'Run 2 started' }).waitFor();
    await end.getByText('Succeeded').waitFor();
    assert.equal(await page.locator('.turn').count(), 3);
    await isSent();
    // The whole record is in the timeline, beyond the end of the first run.
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    await page.locator('.timeline li', { hasText: 'Run 2 started' }).waitFor();
    await page.locator('.timeline li', { hasText: 'Turn 3 settled' }).waitFor();
  });

  await here.fact('a page notices that another client has resumed its agent, and keeps an unsent message', async () => {
    const id = await begin('resumed elsewhere', '/say one');
    await end.getByText('Succeeded').waitFor();
    await page.keyboard.press('i');
    await page.keyboard.type('not sent yet');
    await tool('background_task', { resume: id, prompt: '/say two' });
    await said.getByText('two').waitFor();
    await end.getByText('Succeeded').waitFor();
    assert.equal(await message.inputValue(), 'not sent yet');
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    await message.fill('');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Conversation');
  });

  await here.fact('an agent that takes no message says why', async () => {
    const { task_id: id } = await tool('task_spawn', { task: '/say only once' });
    await page.goto(`${here.address}/#/tasks/${id}`);
    await said.getByText('only once').waitFor();
    await page.getByText('task_spawn started this one').waitFor();
    assert.ok(await message.isDisabled());
  });

  await here.fact('markup and control characters of an agent are text', async () => {
    await begin('markup', '/say <img src=x onerror="globalThis.broken = 1"> <b>bold</b>\n/tool <i>name</i> \u001b[31mred\u202e');
    await said.getByText('<img src=x onerror="globalThis.broken = 1"> <b>bold</b>').waitFor();
    assert.equal(await talk.locator('img, b:not(.by b), i').count(), 0);
    const call = page.locator('.call', { hasText: '<i>name</i>' });
    await call.getByText('Output').click();
    await call.locator('pre', { hasText: /^red⟨U\+202E⟩$/ }).waitFor();
    assert.equal(await page.evaluate(() => globalThis.broken), undefined);
  });

  await here.fact('a conversation is followed at its end, unless it is scrolled up', async () => {
    await begin('growing', `${'/tool step one\n'.repeat(40)}/sleep 120000`);
    await page.locator('.call', { hasText: 'completed' }).nth(39).waitFor();
    const isAtEnd = async () =>
      page.waitForFunction((it) => it.scrollHeight - it.clientHeight - it.scrollTop < 8, await talk.elementHandle());
    await isAtEnd();
    await scrolls(page, '.talk .scrolled', () => talk.evaluate((it) => (it.scrollTop = 100)));
    await message.fill(`${'/say more\n'.repeat(5)}/say the last\n/sleep 120000`);
    await message.press('Enter');
    await said.getByText('the last').waitFor({ state: 'attached' });
    await drawn(page);
    assert.equal(await talk.evaluate((it) => it.scrollTop), 100);
    await talk.press('End');
    await isAtEnd();
    await stopTask(page);
    await end.getByText('Stopped').waitFor();
  });

  await here.fact('thousands of tool calls cost few elements', async () => {
    const id = await begin('many', '/tool step one\n'.repeat(1_500));
    await end.getByText('Succeeded').waitFor({ timeout: 120_000 });
    await page.goto(`${here.address}/#/tasks`);
    await page.locator('.rows li').first().waitFor();
    const { most } = await longestTask(page, async () => {
      await page.goto(`${here.address}/#/tasks/${id}`);
      await page.locator('.event', { hasText: 'Succeeded' }).waitFor();
    });
    here.note(`the longest pause with 4,500 frames was ${most} ms`);
    const count = () => page.locator('.turns > li').count();
    assert.ok((await count()) <= 200, `${await count()} rows`);
    for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'Show earlier' }).click();
    assert.equal(await count(), 400);
    await page.getByRole('button', { name: 'Show later' }).waitFor();
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(elements < 9_000, `${elements} elements`);
    await talk.press('Home');
    await page.locator('.turn').waitFor();
    await talk.press('End');
    await page.locator('.event', { hasText: 'Succeeded' }).waitFor();
    await isComplete(page);
  });

  await here.fact('an endless message is shown in part', async () => {
    const { most } = await longestTask(page, async () => {
      await begin('flood', '/flood 3000000');
      await end.getByText('Succeeded').waitFor({ timeout: 60_000 });
      await page.getByRole('button', { name: 'Show all 1,000,000 characters' }).waitFor();
    });
    here.note(`the longest pause while 3 MB were said was ${most} ms`);
    assert.ok((await said.innerText()).length < 25_000);
  });

  await here.fact('the parent, the children and the batch of an agent are beside its conversation', async () => {
    const parent = await begin('the parent', '/sleep 120000', { batch_id: `${session}-batch` });
    await tool('background_task', { description: 'a sibling', prompt: '/say hi', batch_id: `${session}-batch` });
    await tool('background_task', { description: 'the child', prompt: '/say from the child', parent_task_id: parent });
    const group = (name) => beside.locator('section', { has: page.getByRole('heading', { name, exact: name !== 'Batch' }) });
    await group('Batch').getByRole('link', { name: 'a sibling' }).waitFor();
    await group('Children').getByRole('link', { name: 'the child' }).click();
    await said.getByText('from the child').waitFor();
    await page.getByRole('banner').or(page.locator('.task-head')).getByRole('link', { name: 'Parent task' }).waitFor();
    await group('Parent').getByRole('link', { name: 'the parent' }).click();
    await page.getByRole('heading', { name: 'the parent' }).waitFor();
    await page.goto(`${here.address}/#/sessions/${session}`);
    const row = page.locator('.rows li', { hasText: 'the parent' });
    await row.getByText('agent sample').waitFor();
    await page.goto(`${here.address}/#/tasks/${parent}`);
    await stopTask(page);
    await end.getByText('Stopped').waitFor();
  });

  if (here.answerToken === null) {
    here.note('questions of agents were not tried: they take --answer-token=FILE, and the policy of BrowserTestBed');
    return;
  }
  await here.fact('the question of an agent is answered with the answer token', async () => {
    const bar = page.getByRole('region', { name: 'Question' });
    await begin('asks', '/ask May I look\n/ask And write\n/say done');
    await bar.getByText('May I look').waitFor();
    await page.getByText('The agent waits for the answer').waitFor();
    await bar.getByRole('button', { name: 'Allow' }).click();
    await bar.getByText('needs the answer token').waitFor();
    await bar.getByLabel('Answer token').fill('not the token');
    await bar.getByRole('button', { name: 'Allow' }).click();
    await bar.getByText('not the answer token').waitFor();
    await bar.getByLabel('Answer token').fill(here.answerToken);
    await bar.getByLabel('Reason').fill('it is ours');
    await bar.getByRole('button', { name: 'Allow' }).click();
    await page.locator('.event', { hasText: 'it is ours (user:answerer)' }).waitFor();
    await bar.getByText('And write').waitFor();
    await bar.getByRole('button', { name: 'Deny' }).click(); // the token is known now
    await end.getByText('Succeeded').waitFor();
    await bar.waitFor({ state: 'hidden' });
    await said.getByText('done').waitFor();
    assert.deepEqual((await said.allInnerTexts()).join(' ').split(/\s+/), ['allowed', 'denied', 'done']);
    assert.equal(await page.evaluate((token) => JSON.stringify({ ...localStorage, ...sessionStorage }).includes(token), here.answerToken), false);
  });
}
