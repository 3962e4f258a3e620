import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFullSuite } from '../../../../../../scripts/full-suite.ts';
import type { ArchivedEvent } from './archived-event.ts';
import { SegmentCache } from './cache.ts';
import { eventsOf } from './events.ts';
import { findOrdinals } from './find.ts';
import { type EventChange, rewriteSegment } from './rewrite.ts';
import { arbitraryEvents, encoded, itemsOf, manyEvents, opened, storedIn, testTerms } from './segment.fixture.ts';
import { openSegment } from './segment.ts';

const change: fc.Arbitrary<EventChange | undefined> = fc.constantFrom(
  undefined,
  {},
  { isDeleted: true },
  { texts: { summary: 'erased', detail: '[]' }, terms: [3] },
  { moreTerms: [8, testTerms[1] ?? 0] },
);

function changed(event: ArchivedEvent, { isDeleted, texts, terms = event.terms, moreTerms = [] }: EventChange) {
  const all = [...new Set([...terms, ...moreTerms])].sort((one, other) => one - other);
  return isDeleted ? [] : [{ ...event, ...texts, terms: all, leafHash: Buffer.from(event.leafHash) }];
}

test('deletes events, replaces texts and adds terms', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryEvents(40),
      fc.array(change, { minLength: 40, maxLength: 40 }),
      async (events, changes) => {
        const byId = new Map(
          events.flatMap(({ id }, place) => (changes[place] ? [[id, changes[place]] as const] : [])),
        );
        const segments = await itemsOf(rewriteSegment(await opened(events), byId));
        const expected = events.flatMap((event) => changed(event, byId.get(event.id) ?? {}));
        expect(segments.length).toBe(expected.length === 0 ? 0 : 1);
        const restored = segments.map((bytes) => openSegment(storedIn(bytes, 'rewritten'), new SegmentCache()));
        for (const segment of restored) {
          await (await segment).check();
          expect(await itemsOf(eventsOf(await segment))).toEqual(expected);
        }
      },
    ),
    { numRuns: isFullSuite ? 200 : 15 },
  );
});

test('leaves nothing of an erased text or term behind', async () => {
  const events = manyEvents(300).map((event, place) =>
    place === 7 ? { ...event, summary: `{"phrase":"Marguerite"}`, terms: [424_242] } : event,
  );
  const changes = new Map([[events[7]?.id ?? '', { texts: { summary: '{}', detail: '[]' }, terms: [] }]]);
  const [bytes] = await itemsOf(rewriteSegment(await opened(events), changes));
  const segment = await openSegment(storedIn(bytes ?? Buffer.alloc(0)), new SegmentCache());
  const texts = (await itemsOf(eventsOf(segment))).map(({ summary }) => summary);
  expect(texts.filter((summary) => summary.includes('Marguerite'))).toEqual([]);
  const walk = { direction: 'older', from: undefined, limit: 5 } as const;
  const evaluation = { resolve: () => Promise.reject(new Error('no other tables')) };
  expect(await findOrdinals(segment, { is: 'terms', any: [424_242] }, walk, evaluation)).toEqual([]);
  expect(await findOrdinals(await opened(events), { is: 'terms', any: [424_242] }, walk, evaluation)).toEqual([7]);
});

test('encodes the same events to the same bytes', async () => {
  const events = manyEvents(700);
  const bytes = await encoded(events);
  expect(await itemsOf(rewriteSegment(await opened(events)))).toEqual([bytes]);
});
