import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullSuite } from '../../../../../../scripts/full-suite.ts';
import { InvalidSegment } from './bytes.ts';
import { SegmentCache } from './cache.ts';
import { countByGroup, matchingEvents } from './counts.ts';
import type { SegmentEvaluation } from './evaluate.ts';
import { findOrdinals } from './find.ts';
import { layOutSegment, type NewBlock, readLayout, type SectionName, sectionNames } from './layout.ts';
import { rewriteSegment } from './rewrite.ts';
import { arbitraryCondition, encoded, holdsElsewhere, itemsOf, manyEvents, storedIn } from './segment.fixture.ts';
import { openSegment } from './segment.ts';

const evaluation: SegmentEvaluation = {
  resolve: async (condition, candidates) => candidates.map((one) => holdsElsewhere(condition, one)),
};

/** The blocks of a segment, to be changed and written again with valid hashes. */
async function takeApart(bytes: Buffer) {
  const { read } = storedIn(bytes);
  const { manifest, tables } = await readLayout(read, bytes.length);
  const sections = new Map<SectionName, NewBlock[]>(
    Array.from(tables, ([name, { offsets, keys }]) => [
      name,
      Array.from({ length: offsets.length - 1 }, (_, block) => ({
        bytes: bytes.subarray(offsets[block], offsets[block + 1]),
        key: keys[block] ?? 0,
      })),
    ]),
  );
  return { manifest, sections };
}

test('writes the blocks of a segment again as they were', async () => {
  const bytes = await encoded(manyEvents(300));
  const { manifest, sections } = await takeApart(bytes);
  expect(layOutSegment(sections, manifest)).toEqual(bytes);
});

// Only the one who writes a segment can give it valid hashes, and a file can be written by anyone.
test('refuses or reads a forged segment, and fails in no other way', { timeout: 600_000 }, async () => {
  const bytes = await encoded(manyEvents(300));
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...sectionNames),
      fc.nat(),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('change', 'change', 'cut', 'extend', 'key', 'drop'),
      arbitraryCondition,
      async (section, block, changes, way, condition) => {
        const { manifest, sections } = await takeApart(bytes);
        const blocks = sections.get(section) ?? [];
        const place = block % blocks.length;
        const { bytes: old, key } = blocks[place] ?? { bytes: new Uint8Array(), key: 0 };
        const forged = Uint8Array.from(way === 'extend' ? [...old, 1, 2] : old);
        if (way === 'change') for (const [at, value] of changes) forged[at % forged.length] = value;
        const content = way === 'cut' ? forged.subarray(0, block % (forged.length + 1)) : forged;
        const changed = { bytes: content, key: way === 'key' ? key + block : key };
        blocks.splice(place, 1, ...(way === 'drop' ? [] : [changed]));
        try {
          const segment = await openSegment(storedIn(layOutSegment(sections, manifest)), new SegmentCache());
          await findOrdinals(segment, condition, { direction: 'older', from: undefined, limit: 1000 }, evaluation);
          const set = await matchingEvents(segment, condition, undefined, evaluation);
          await countByGroup(segment, set, { by: 'column', column: 'actor' }, { start: 0, size: 3_600_000 });
          await segment.check();
          await itemsOf(rewriteSegment(segment));
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidSegment);
          refused += 1;
        }
      },
    ),
    { numRuns: isFullSuite ? 3000 : 150 },
  );
  expect(refused).toBeGreaterThan(isFullSuite ? 1000 : 40);
});
