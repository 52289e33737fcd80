import type { Page } from '../server/api';

const MOST_FETCHED = 20; // pages of new rows that one refresh reads; the pages after them are forgotten

/** The newest rows of a list, in pages that are each refreshed on their own, so a list of thousands costs only the pages in view. */
export class Pages<T> {
  readonly #ask: (cursor: string) => Promise<Page<T>>;
  readonly #idOf: (row: T) => string;
  #pages: { readonly from: string; rows: readonly T[] }[] = [{ from: '', rows: [] }];
  #next: string | null = null;

  /** @param ask for the page at a cursor; an empty cursor is the beginning of the list */
  constructor(ask: (cursor: string) => Promise<Page<T>>, idOf: (row: T) => string) {
    this.#ask = ask;
    this.#idOf = idOf;
  }

  get pages(): readonly (readonly T[])[] {
    return this.#pages.map(({ rows }) => rows);
  }

  /** Whether there are older rows than these. */
  get hasMore(): boolean {
    return this.#next !== null;
  }

  /** Reads one page again, from its first row to the beginning of the next page. */
  async refresh(at: number): Promise<void> {
    const page = this.#pages[at];
    if (page === undefined) return;
    const later = new Set(this.#pages.slice(at + 1).flatMap(({ rows }) => rows.map(this.#idOf)));
    const found: T[] = [];
    let from = page.from;
    for (let fetched = 1; ; fetched++) {
      const { rows, next } = await this.#ask(from);
      const end = rows.findIndex((row) => later.has(this.#idOf(row)));
      found.push(...(end < 0 ? rows : rows.slice(0, end)));
      page.rows = found;
      if (end >= 0) return;
      if (next === null || later.size === 0 || fetched === MOST_FETCHED) {
        this.#pages.length = at + 1;
        this.#next = next;
        return;
      }
      from = next;
    }
  }

  /** Replaces the row with the same id; returns whether there is one. */
  replace(row: T): boolean {
    const id = this.#idOf(row);
    for (const page of this.#pages) {
      const at = page.rows.findIndex((each) => this.#idOf(each) === id);
      if (at < 0) continue;
      page.rows = page.rows.with(at, row);
      return true;
    }
    return false;
  }

  remove(id: string): void {
    for (const page of this.#pages) {
      if (page.rows.some((each) => this.#idOf(each) === id)) page.rows = page.rows.filter((each) => this.#idOf(each) !== id);
    }
  }

  /** Adds the next page. */
  async more(): Promise<void> {
    if (this.#next === null) return;
    const from = this.#next;
    const { rows, next } = await this.#ask(from);
    this.#pages.push({ from, rows });
    this.#next = next;
  }
}
