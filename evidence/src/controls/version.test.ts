import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { catalogVersion, controlIds } from './catalog.ts';
import { defaultsOf } from './parameters.ts';
import type { PopulationRow } from './rows.ts';
import type { Variants } from './testing/change-variants.ts';
import { forEachControl } from './testing/each.ts';
import { isInPopulation } from './testing/in-population.ts';
import { passingRowOf } from './testing/variants.ts';

/** The hash of all verdicts of each catalog version for every pair of field values: a later evaluation must give the same verdicts. */
const hashes: Readonly<Record<string, string>> = {
  '1.6.0': '2b4b58832cf5a58482ef0213e032fea6a582778fe05d141ac34af587807a2777',
};

test('changes the version of the catalog with the evaluation', () => {
  const hash = createHash('sha256');
  const seen: string[] = [];
  forEachControl((control, variants) => {
    const setting = defaultsOf(control.parameters);
    seen.push(control.id);
    for (const row of pairsOf(variants)) {
      hash.update(JSON.stringify([control.id, isInPopulation(control, row, setting), control.evaluate(row, setting)]));
    }
  });
  expect(seen).toEqual(controlIds);
  expect(hash.digest('hex')).toBe(hashes[catalogVersion]);
});

/** Generates passing rows in which every pair of fields takes every combination of values. */
function* pairsOf<Row extends PopulationRow>(variants: Variants<Row>): Generator<Row> {
  const good = passingRowOf(variants);
  const fields = Object.keys(variants) as (keyof Row)[];
  for (const [index, one] of fields.entries()) {
    for (const other of fields.slice(index + 1)) {
      for (const first of variants[one])
        for (const second of variants[other]) yield { ...good, [one]: first, [other]: second };
    }
  }
}
