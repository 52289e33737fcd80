/** A unique name. A page that was loaded over plain HTTP from another machine has no `randomUUID`. */
export function uniqueName(): string {
  return crypto.randomUUID?.() ?? String(Math.random()).slice(2);
}
