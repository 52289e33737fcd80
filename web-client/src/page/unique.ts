/** A name that nobody else has. A page over plain HTTP from afar is given no UUIDs. */
export function uniqueName(): string {
  return crypto.randomUUID?.() ?? String(Math.random()).slice(2);
}
