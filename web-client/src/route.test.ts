import { describe, expect, test } from 'vitest';
import { addressOf, ANY, routeOf, tokenOf, type Route } from './route';

describe('an address', () => {
  test.each<[string, Route]>([
    ['#/tasks', { page: 'tasks', wanted: ANY }],
    ['#/tasks?status=running&label=pr-42', { page: 'tasks', wanted: { ...ANY, status: 'running', label: 'pr-42' } }],
    ['#/tasks?text=50%25+%26+%3F%23%22&session=a%3A1', { page: 'tasks', wanted: { ...ANY, text: '50% & ?#"', session: 'a:1' } }],
    ['#/server', { page: 'server' }],
    ['#/split/a-1/b%3A2', { page: 'split', ids: ['a-1', 'b:2'] }],
    ['#/tasks/a-1', { page: 'task', id: 'a-1', tab: null, seq: null }],
    ['#/tasks/a-1/output', { page: 'task', id: 'a-1', tab: 'output', seq: null }],
    ['#/tasks/a-1/conversation', { page: 'task', id: 'a-1', tab: 'conversation', seq: null }],
    ['#/tasks/a%3A1/files', { page: 'task', id: 'a:1', tab: 'files', seq: null }],
    ['#/tasks/a-1/replay?seq=7', { page: 'task', id: 'a-1', tab: 'replay', seq: 7 }],
    ['#/tasks/a-1/timeline?seq=42', { page: 'task', id: 'a-1', tab: 'timeline', seq: 42 }],
    ['#/tasks/a-1/watchers', { page: 'task', id: 'a-1', tab: 'watchers', seq: null }],
    ['#/tasks/a-1/output?seq=42', { page: 'task', id: 'a-1', tab: 'output', seq: 42 }],
    ['#/sessions', { page: 'sessions' }],
    ['#/sessions/a%3A1', { page: 'session', id: 'a:1', tab: 'tasks', seq: null, wanted: ANY }],
    ['#/sessions/cli?status=running', { page: 'session', id: 'cli', tab: 'tasks', seq: null, wanted: { ...ANY, status: 'running' } }],
    ['#/sessions/cli/mailbox', { page: 'session', id: 'cli', tab: 'mailbox', seq: null, wanted: ANY }],
    ['#/sessions/cli/timeline?seq=7', { page: 'session', id: 'cli', tab: 'timeline', seq: 7, wanted: ANY }],
  ])('%s is a place, and the place has that address', (address, route) => {
    expect(routeOf(address)).toEqual(route);
    expect(addressOf(route)).toBe(address);
  });

  test('with a seq alone is a place in the timeline', () => {
    expect(routeOf('#/tasks/a?seq=7')).toEqual({ page: 'task', id: 'a', tab: 'timeline', seq: 7 });
  });

  test.each(['x', '', '-1', '1.5', '1e3', '1234567890123456'])('with the seq %j names no frame, and the timeline says so', (seq) => {
    expect(routeOf(`#/tasks/a?seq=${seq}`)).toEqual({ page: 'task', id: 'a', tab: 'timeline', seq: NaN });
  });

  test.each(['', '#', '#/', '#/nothing', '#/tasks/', '#token=x'])('%s leads to the list', (address) => {
    expect(routeOf(address)).toEqual({ page: 'tasks', wanted: ANY });
  });

  test('yields its token unchanged, with all characters that a token may have', () => {
    expect(tokenOf('#token=aB1-_~+/=')).toBe('aB1-_~+/=');
    expect(tokenOf('#/tasks')).toBeNull();
    expect(tokenOf('#token=')).toBeNull();
  });
});
