import { expect, test } from 'vitest';
import { cursorIn, type Page } from '../server/api';
import { Pages } from './pages';

const SIZE = 3;

/** A server whose tasks are numbers, newest first; a cursor is the number before which a page begins. */
class Server {
  tasks: number[] = [];
  asked = 0;

  constructor(count: number) {
    this.spawn(count);
  }

  spawn(count: number): void {
    for (let i = 0; i < count; i++) this.tasks.unshift((this.tasks[0] ?? 0) + 1);
  }

  readonly page = (cursor: string): Promise<Page<number>> => {
    this.asked++;
    const rest = this.tasks.filter((each) => cursor === '' || each < Number(cursor));
    const rows = rest.slice(0, SIZE);
    return Promise.resolve({ rows, next: rest.length > SIZE ? String(rows.at(-1)) : null });
  };
}

const ids = (pages: Pages<number>): number[][] => pages.pages.map((page) => [...page]);

test('the newest come first, older ones when they are wanted', async () => {
  const pages = new Pages(new Server(7).page, String);
  await pages.refresh(0);
  expect(ids(pages)).toEqual([[7, 6, 5]]);
  await pages.more();
  await pages.more();
  expect(ids(pages)).toEqual([[7, 6, 5], [4, 3, 2], [1]]);
  expect(pages.hasMore).toBe(false);
  await pages.more();
  expect(ids(pages)).toHaveLength(3);
});

test('a list that was not scrolled stays one page', async () => {
  const server = new Server(7);
  const pages = new Pages(server.page, String);
  await pages.refresh(0);
  server.spawn(10);
  await pages.refresh(0);
  expect(ids(pages)).toEqual([[17, 16, 15]]);
});

test('with any number of new tasks, none is missing between pages', async () => {
  const server = new Server(7);
  const pages = new Pages(server.page, String);
  await pages.refresh(0);
  await pages.more();
  for (const count of [1, 3, 8]) {
    server.spawn(count);
    await pages.refresh(0);
    expect(ids(pages).flat()).toEqual(server.tasks.filter((each) => each >= 2));
  }
  await pages.refresh(1);
  expect(ids(pages)[1]).toEqual([4, 3, 2]);
});

test('tasks that no longer match are removed, and no others', async () => {
  const server = new Server(9);
  const pages = new Pages(server.page, String);
  await pages.refresh(0);
  await pages.more();
  await pages.more();
  server.tasks = server.tasks.filter((each) => each !== 5 && each !== 8);
  await pages.refresh(1);
  expect(ids(pages)).toEqual([[9, 8, 7], [6, 4], [3, 2, 1]]);
  await pages.refresh(0);
  expect(ids(pages).flat()).toEqual([9, 7, 6, 4, 3, 2, 1]);
});

test('more new tasks than can be fetched drop the pages below', async () => {
  const server = new Server(7);
  const pages = new Pages(server.page, String);
  await pages.refresh(0);
  await pages.more();
  server.spawn(1000);
  server.asked = 0;
  await pages.refresh(0);
  expect(server.asked).toBe(20);
  expect(ids(pages)).toEqual([server.tasks.slice(0, 20 * SIZE)]);
  await pages.more();
  expect(ids(pages).flat()).toEqual(server.tasks.slice(0, 21 * SIZE));
});

test('a page whose tasks are all gone is not the end', async () => {
  const server = new Server(9);
  const pages = new Pages(server.page, String);
  await pages.refresh(0);
  await pages.more();
  await pages.more();
  server.tasks = server.tasks.filter((each) => each < 4 || each > 6);
  await pages.refresh(1);
  await pages.refresh(0);
  expect(ids(pages).flat()).toEqual([9, 8, 7, 3, 2, 1]);
});

test('a server that does not answer changes nothing', async () => {
  const server = new Server(4);
  const pages = new Pages((cursor) => (server.asked > 1 ? Promise.reject(new Error('away')) : server.page(cursor)), String);
  await pages.refresh(0);
  await pages.more();
  await expect(pages.refresh(0)).rejects.toThrow('away');
  expect(ids(pages).flat()).toEqual([4, 3, 2, 1]);
});

test('the next page is named by the Link header', () => {
  expect(cursorIn('</tasks?text=a%3E%26b&limit=2&cursor=1z>; rel="next"')).toBe('1z');
  expect(cursorIn(null)).toBe(null);
});
