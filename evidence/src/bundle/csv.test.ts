import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf, guarded, unguarded } from './csv.ts';

test('no cell of text can be taken for a formula, and what it was can be told again', () => {
  for (const text of ['=1+1', '+x', '-1', '@x', '\tx', '\rx', '\nx', '|x', '%x', '＝1', "'=1", "''=1"]) {
    expect(guarded(text)).toBe(`'${text}`);
    expect(unguarded(guarded(text))).toBe(text);
  }
  for (const text of ['', 'x', "it's", "'quoted'", 'a=1', '😀', '1']) expect(guarded(text)).toBe(text);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => unguarded(guarded(text)) === text));
});

test('numbers stay numbers, and text is quoted', () => {
  expect(csvOf([['a "b"\n', -1, null, '-1']])).toBe(`\uFEFF"a ""b""\n",-1,,"'-1"\r\n`);
});
