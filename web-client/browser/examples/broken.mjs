// A part for the test of facts.mjs itself: it breaks before its fact.

/** @param {import('../ground.mjs').Ground} here */
export default async function facts(here) {
  if (here.count === 0) throw new Error('an error between facts');
  await here.fact('a fact that is not reached', async () => undefined);
}
