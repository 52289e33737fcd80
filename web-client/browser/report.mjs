// Prints the results of the facts: as text, or as JSON for the test that runs them.

/** @param {{begins(parts: string[]): void, started(part: string, fact: string): void, note(text: string): void, passed(fact: string, ms: number): void, failed(fact: string, why: string): void, ended(passed: number, failed: number): void}} prints */
function counted(prints) {
  let [passed, failed] = [0, 0];
  return {
    ...prints,
    passed: (fact, ms) => (passed++, prints.passed(fact, ms)),
    failed: (fact, why) => (failed++, prints.failed(fact, why)),
    ends: () => (prints.ended(passed, failed), { passed, failed }),
  };
}

export function textReport() {
  let before = '';
  return counted({
    begins: (parts) => console.log(`parts: ${parts.join(', ')}`),
    started: (part) => {
      if (part !== before) console.log(`\n${part}`);
      before = part;
    },
    note: (text) => console.log(`       ${text}`),
    passed: (fact, ms) => console.log(`ok     ${fact} (${ms} ms)`),
    failed: (_fact, why) => console.log(why),
    ended: (passed, failed) => console.log(`\n${passed} passed, ${failed} failed`),
  });
}

export function jsonReport() {
  const print = (event, details) => process.stdout.write(`${JSON.stringify({ event, ...details })}\n`);
  return counted({
    begins: (parts) => print('begins', { parts }),
    started: (part, fact) => print('started', { part, fact }),
    note: (text) => print('note', { text }),
    passed: (fact, ms) => print('passed', { fact, ms }),
    failed: (fact, why) => print('failed', { fact, why }),
    ended: (passed, failed) => print('ended', { passed, failed }),
  });
}
