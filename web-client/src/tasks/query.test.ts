import { expect, test } from 'vitest';
import { ANY, type Wanted } from '../route';
import { typedOf, wantedOf } from './query';

test.each<[string, Partial<Wanted>]>([
  ['', {}],
  ['npm test', { text: 'npm test' }],
  ['status:running', { status: 'running' }],
  ['label:pr-42 npm session:agent-7 test', { text: 'npm test', label: 'pr-42', session: 'agent-7' }],
  ['label:a label:b', { label: 'b' }],
  ['label:', { text: 'label:' }],
  ['label:"two words"', { label: 'two words' }],
  ['"exactly this"', { text: '"exactly this"' }],
  ['http://host/a:b', { text: 'http://host/a:b' }],
])('%j asks for %j', (typed, wanted) => {
  expect(wantedOf(typed)).toEqual({ ...ANY, ...wanted });
});

test.each<Partial<Wanted>>([{}, { text: 'a b' }, { status: 'failed', label: 'x', session: 's' }, { label: 'two words', text: 'x' }])(
  '%j is typed as it is read',
  (wanted) => {
    expect(wantedOf(typedOf({ ...ANY, ...wanted }))).toEqual({ ...ANY, ...wanted });
  },
);
