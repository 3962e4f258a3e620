import type { Parameter } from '@sightline/contract/timeline/events.ts';
import { expect, test } from 'vitest';
import { phrasePieces } from './phrase.ts';

const ada: Parameter = { kind: 'user', ident: 'ada', display: 'Ada' };
const pr: Parameter = { kind: 'pr', ident: '7', display: '#7' };

test('inserts parameters at their placeholders', () => {
  expect(phrasePieces({ phrase: '{1} was merged by {0} {9}', parameters: [ada, pr] })).toEqual([
    { parameter: pr, index: 1 },
    { words: ' was merged by ' },
    { parameter: ada, index: 0 },
  ]);
});

test('keeps braces that are no placeholder', () => {
  expect(phrasePieces({ phrase: 'set {x}', parameters: [] })).toEqual([{ words: 'set {x}' }]);
});
