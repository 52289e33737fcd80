// A part for the test of facts.mjs itself: it has no facts, which is a failure.
export default async function facts() {}
