import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { drawSample, sampleSeed } from './sample.ts';

const period = { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' };
const seed = sampleSeed({ root: 'q0wbH+XsTgGdUtNVFBAKT6sDSb5fwDPHQ5Jwsn8XHRc=', control: 'CHG-01', period });
const population = (size: number) => Array.from({ length: size }, (_, leaf) => ({ subject: `change ${leaf}`, leaf }));

test('derives the seed from the root of the checkpoint, the control and the period', () => {
  expect(seed).toBe(
    'q0wbH+XsTgGdUtNVFBAKT6sDSb5fwDPHQ5Jwsn8XHRc=/CHG-01/2026-07-01T00:00:00.000Z/2026-10-01T00:00:00.000Z',
  );
});

test('draws rows by the SHA-256 of the seed, a line break and the index of their entry', () => {
  const drawKey = (leaf: number) => createHash('sha256').update(`${seed}\n${leaf}`).digest('hex');
  const expected = population(200).toSorted((a, b) => (drawKey(a.leaf) < drawKey(b.leaf) ? -1 : 1));
  expect(drawSample(population(200), seed, 25)).toEqual(expected.slice(0, 25));
});

test('draws the same rows for a seed in any order, and extends a smaller sample', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(population(60), { minLength: 60 }), fc.nat({ max: 60 }), (rows, size) => {
      const drawn = drawSample(rows, seed, 60);
      expect(drawn).toEqual(drawSample(population(60), seed, 60));
      expect(drawSample(rows, seed, size)).toEqual(drawn.slice(0, size));
    }),
  );
});

test('draws other rows for another seed, and all rows if there are too few', () => {
  expect(drawSample(population(500), seed, 25)).not.toEqual(drawSample(population(500), `${seed} `, 25));
  expect(drawSample(population(7), seed, 25)).toHaveLength(7);
});

test('draws rows without an entry of their own by their subject', () => {
  const rows = ['a', 'b', 'c'].map((subject) => ({ subject, leaf: null }));
  expect(drawSample(rows.toReversed(), seed, 3)).toEqual(drawSample(rows, seed, 3));
  const shared = rows.map(({ subject }) => ({ subject, leaf: 4 }));
  expect(drawSample(shared.toReversed(), seed, 3)).toEqual(shared);
});

test('draws every row about equally often over many seeds', () => {
  const [rows, draws, size] = [20, 600, 4];
  const counts = new Array<number>(rows).fill(0);
  for (let draw = 0; draw < draws; draw += 1) {
    for (const { leaf } of drawSample(population(rows), `${seed} ${draw}`, size))
      counts[leaf] = (counts[leaf] ?? 0) + 1;
  }
  const expected = (draws * size) / rows;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // 19 degrees of freedom: the probability of exceeding 44 is one in a thousand.
  expect(chiSquare).toBeLessThan(44);
});
