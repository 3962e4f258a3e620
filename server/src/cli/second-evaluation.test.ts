import { evaluateRows } from '@sightline/evidence/bundle/evaluated-rows.ts';
import { definitions } from '@sightline/evidence/controls/catalog.ts';
import type { Parameters } from '@sightline/evidence/controls/parameters.ts';
import { arbitraryPopulations } from '@sightline/evidence/controls/testing/populations.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasPython, runInPython } from './testing/second-verifier.ts';

const script = `
from evaluation import evaluate
defaults = json.loads(sys.argv[1])
print(json.dumps([evaluate(one['control'], one['rows'], one['settings'], defaults[one['control']])
                  for one in json.load(sys.stdin)]))`;

// The test vectors of evaluations have rows of each verdict of each control; these rows are other ones in each run.
test.skipIf(!hasPython)(
  'a program written from the specification returns the same verdict for every row',
  { timeout: 600_000, tags: ['full'] },
  () => {
    const { seed } = fc.readConfigureGlobal();
    const given = { numRuns: 400, ...(seed !== undefined && { seed }) };
    const populations = arbitraryPopulations().flatMap((one) => fc.sample(one, given));
    const defaults = definitions.map(({ id, parameters }) => [id, defaultsIn(parameters)] as const);
    const output = runInPython(script, {
      args: [JSON.stringify(Object.fromEntries(defaults))],
      input: JSON.stringify(populations),
    }) as [unknown[], unknown[]][];
    for (const [index, { control, rows, settings }] of populations.entries()) {
      const expected = evaluateRows(control, rows, settings, []);
      expect(output[index], `${control}: ${JSON.stringify(settings)}`).toEqual([expected.rows, expected.excluded]);
    }
  },
);

const defaultsIn = (parameters: Parameters) =>
  Object.fromEntries(Object.entries(parameters).map(([name, { default: value }]) => [name, value]));
