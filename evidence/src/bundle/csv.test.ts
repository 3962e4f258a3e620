import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter, propertyRuns } from '../../../scripts/properties.ts';
import { csvOf, escapeFormula, unescapeFormula } from './csv.ts';
import { hostileCells } from './testing/cells.ts';

test('prevents formula injection in text cells reversibly', () => {
  for (const text of ['=1+1', '+x', '-1', '@x', '\tx', '\rx', '\nx', '|x', '%x', '＝1', "'=1", "''=1"]) {
    expect(escapeFormula(text)).toBe(`'${text}`);
    expect(unescapeFormula(escapeFormula(text))).toBe(text);
  }
  for (const text of ['', 'x', "it's", "'quoted'", 'a=1', '😀', '1']) expect(escapeFormula(text)).toBe(text);
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => unescapeFormula(escapeFormula(text)) === text));
});

test('keeps numbers and quotes text', () => {
  expect(csvOf([['a "b"\n', -1, null, '-1']])).toBe(`\uFEFF"a ""b""\n",-1,,"'-1"\r\n`);
});

test('writes cells that another reader of RFC 4180 reads', () => {
  const cell = fc.oneof(fc.constantFrom(...hostileCells), fc.string({ unit: anyCharacter }));
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }), (given) => {
      const width = Math.max(...given.map((row) => row.length));
      const rows = given.map((row) => [...row, ...Array.from({ length: width - row.length }, () => '')]);
      // Strict: requires an equal number of cells per line, and quotes only where RFC 4180 permits them.
      const read: string[][] = parse(csvOf(rows), {
        bom: true,
        relax_quotes: false,
        relax_column_count: false,
        record_delimiter: '\r\n',
      });
      expect(read.map((row) => row.map(unescapeFormula))).toEqual(rows);
    }),
    { numRuns: propertyRuns(100) },
  );
});
