import type { Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import { parameterKinds } from '@sightline/contract/timeline/events.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullEventTexts, fullSummary, shortEventTexts, storedIdentMark } from './event-text.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('main', 'acme/api', '","ident":"', '"},', '\x02', '\x05a', '\\', '{"kind":"user","display":"'),
);
const parameter: fc.Arbitrary<Parameter> = fc
  .record({ kind: fc.constantFrom(...parameterKinds), display: text, ident: text, same: fc.boolean(), data: fc.nat(3) })
  .map(({ kind, display, ident, same, data }) => ({
    kind,
    display,
    ident: same ? display : ident,
    ...(data === 1 && { data: { url: `https://code.example.org/${ident}/tree/${display}` } }),
    ...(data === 2 && { data: { repository: display, other: [{ display, ident }] } }),
  }));
const content = fc.record({
  summary: fc.record({ phrase: text, parameters: fc.array(parameter, { maxLength: 6 }) }),
  own: fc.array(fc.record({ label: text, parameter }), { maxLength: 4 }),
  repeated: fc.array(fc.nat(5), { maxLength: 4 }),
});

test('restores texts byte by byte', () => {
  fc.assert(
    fc.property(content, ({ summary, own, repeated }) => {
      const detail = [
        ...repeated.flatMap((place) => {
          const again = summary.parameters[place];
          return again ? [{ label: 'Again', parameter: again }] : [];
        }),
        ...own,
      ];
      const texts = { summary: JSON.stringify(summary), detail: JSON.stringify(detail) };
      const stored = shortEventTexts(texts);
      expect(fullEventTexts(stored)).toEqual(texts);
      expect(fullSummary(stored.summary)).toBe(texts.summary);
      expect(shortEventTexts(fullEventTexts(stored))).toEqual(stored);
    }),
    { numRuns: 500 },
  );
});

const commit: Summary = {
  phrase: '{0} committed {1} to {2} in {3} {4}',
  parameters: [
    { kind: 'user', display: 'Ada', ident: 'ada@example.org' },
    {
      kind: 'sha',
      display: '0123456',
      ident: '0123456789012345678901234567890123456789',
      data: { url: 'https://code.example.org/acme/api/commit/0123456789012345678901234567890123456789' },
    },
    { kind: 'branch', display: 'main', ident: 'main' },
    { kind: 'repository', display: 'acme/api', ident: 'acme/api', data: { url: 'https://code.example.org/acme/api' } },
    { kind: 'text', display: 'Fix the "cache"', ident: '' },
  ],
};

test('stores names once, and marks the identifier of a commit for searches', () => {
  const texts = {
    summary: JSON.stringify(commit),
    detail: JSON.stringify([
      { label: 'Message', parameter: commit.parameters[4] },
      { label: 'Author', parameter: commit.parameters[0] },
    ]),
  };
  const stored = shortEventTexts(texts);
  expect(fullEventTexts(stored)).toEqual(texts);
  expect(stored.summary).toContain(`${storedIdentMark}0123456789012345678901234567890123456789`);
  expect(stored.summary.split('0123456789012345678901234567890123456789')).toHaveLength(2);
  expect(stored.summary.split('acme/api')).toHaveLength(3);
  expect(stored.summary.length).toBeLessThan(texts.summary.length * 0.5);
  expect(stored.detail.length).toBeLessThan(texts.detail.length * 0.25);
});

test('leaves JSON of another writer as it is', () => {
  const texts = { summary: '{ "parameters": [], "phrase": "did" }', detail: '[]' };
  expect(shortEventTexts(texts)).toEqual(texts);
  expect(fullEventTexts(texts)).toEqual(texts);
});
