import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { catalogVersion, controlIds } from './catalog.ts';
import { defaultsOf } from './parameters.ts';
import type { PopulationRow } from './rows.ts';
import type { Variants } from './testing/change-variants.ts';
import { forEachControl } from './testing/each.ts';
import { goodOf } from './testing/variants.ts';

/** What the judges of each version said of every pair of values: whoever runs a control again must get what was got then. */
const said: Readonly<Record<string, string>> = {
  '1.0.0': '7e1682a7bf4c52db74588637d3b79bcc890c8216e1f87fd9a41abf3921c6754d',
  '1.1.0': '7a57c6abf91e554444fc5832ad3f5d094f5a2e824c2434ceb1791ee9db0ebf80',
  '1.2.0': '416a58afe476f4e6a19fe536cca9dccf1c4060d7be345dcddda4e12d13ae5728',
};

test('changes the version of the catalog with the evaluation', () => {
  const hash = createHash('sha256');
  const seen: string[] = [];
  forEachControl((control, variants) => {
    const setting = defaultsOf(control.parameters);
    seen.push(control.id);
    for (const row of pairsOf(variants)) {
      hash.update(JSON.stringify([control.id, control.belongs(row, setting), control.judge(row, setting)]));
    }
  });
  expect(seen).toEqual(controlIds);
  expect(hash.digest('hex')).toBe(said[catalogVersion]);
});

/** A row that passes, with every two of its fields changed in every way. */
function* pairsOf<Row extends PopulationRow>(variants: Variants<Row>): Generator<Row> {
  const good = goodOf(variants);
  const fields = Object.keys(variants) as (keyof Row)[];
  for (const [index, one] of fields.entries()) {
    for (const other of fields.slice(index + 1)) {
      for (const first of variants[one])
        for (const second of variants[other]) yield { ...good, [one]: first, [other]: second };
    }
  }
}
