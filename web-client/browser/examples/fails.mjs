// A part for the test of facts.mjs itself.
import assert from 'node:assert/strict';

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  await here.fact('a fact that holds', async () => {
    await here.page.getByText('No tasks yet').waitFor();
  });

  await here.fact('a fact that fails', async () => {
    assert.equal(1 + 1, 3);
  });

  await here.fact('a fact behind one that failed', async () => {
    await here.page.getByText('No tasks yet').waitFor();
  });
}
