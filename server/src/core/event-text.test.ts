import type { Parameter, Summary } from '@sightline/contract/timeline/events.ts';
import { parameterKinds } from '@sightline/contract/timeline/events.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullEventTexts, fullSummary, fullSummaryWithUsers, shortEventTexts, storedIdentMark } from './event-text.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('main', 'acme/api', '","ident":"', '"},', '\x02', '\x05a', '\\', '{"kind":"user","display":"'),
);
const parameter: fc.Arbitrary<Parameter> = fc
  .record({ kind: fc.constantFrom(...parameterKinds), display: text, ident: text, same: fc.boolean(), data: fc.nat(4) })
  .map(({ kind, display, ident, same, data }) => ({
    kind,
    display,
    ident: same ? display : ident,
    ...(data === 1 && { data: { url: `https://code.example.org/${ident}/tree/${display}` } }),
    ...(data === 2 && { data: { repository: display, other: [{ display, ident }] } }),
    ...(data === 3 && { data: { count: 1 }, icon: display }),
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

test('contains each part of a name that the texts contain, for erasures', () => {
  const name = fc.constantFrom('ali', 'alice', 'alice-smith', 'a.b', '7', '77', 'alice@example.org', 'Ada', 'https');
  const named: fc.Arbitrary<Parameter> = fc
    .record({
      kind: fc.constantFrom(...parameterKinds),
      display: name,
      ident: name,
      steps: fc.array(name, { minLength: 1 }),
      end: fc.constantFrom('', '?of=', '#', '?by=7&of='),
    })
    .map(({ kind, display, ident, steps, end }) => ({
      kind,
      display,
      ident,
      data: { url: `https://${steps.join('/')}${end}${end === '' ? '' : ident}` },
    }));
  fc.assert(
    fc.property(fc.array(named, { maxLength: 4 }), fc.array(named, { maxLength: 3 }), (parameters, own) => {
      const detail = [...parameters.slice(1), ...own].map((of) => ({ label: 'Of', parameter: of }));
      const texts = { summary: JSON.stringify({ phrase: '{0} did', parameters }), detail: JSON.stringify(detail) };
      const stored = shortEventTexts(texts);
      const all = `${stored.summary} ${stored.detail}`;
      const values = [...parameters, ...own].flatMap(({ display, ident, data }) => [display, ident, String(data?.url)]);
      for (const part of values.flatMap((value) => value.match(/[\w.@:-]+/g) ?? [])) expect(all).toContain(part);
    }),
    { numRuns: 300 },
  );
});

test('finds the users of a summary', () => {
  fc.assert(
    fc.property(content, ({ summary }) => {
      const users = new Set<string>();
      const json = JSON.stringify(summary);
      expect(fullSummaryWithUsers(shortEventTexts({ summary: json, detail: '[]' }).summary, users)).toBe(json);
      const idents = summary.parameters.flatMap(({ kind, ident }) => (kind === 'user' && ident !== '' ? ident : []));
      for (const ident of idents) expect(users).toContain(ident);
    }),
    { numRuns: 500 },
  );
  const users = new Set<string>();
  const of = (summary: object) => fullSummaryWithUsers(JSON.stringify(summary), users);
  of(commit);
  of({ phrase: 'did', parameters: [{ ident: 'first', kind: 'user', display: 'First' }] });
  for (const parameters of [
    commit.parameters,
    [{ kind: 'user', display: 'Second', data: {}, ident: 'second' }],
    [{ kind: 'user', display: 'Third', ident: 'third', data: {} }],
    [{ kind: 'user', display: 'fourth', ident: 'fourth' }, commit.parameters[2]],
    [{ kind: 'user', display: 'Deleted person', ident: '' }],
  ])
    fullSummaryWithUsers(
      shortEventTexts({ summary: JSON.stringify({ phrase: 'did', parameters }), detail: '[]' }).summary,
      users,
    );
  expect([...users]).toEqual(['ada@example.org', 'first', 'second', 'third', 'fourth']);
});

test('restores texts that earlier versions have stored', () => {
  const characters = Array.from({ length: 0x20 - 0x06 }, (_, place) => String.fromCharCode(0x06 + place)).join('');
  expect(fullSummary(characters)).toMatchInlineSnapshot(
    `"{"phrase":"","parameters":[{"kind":"user","display":"","parameters":["},"}]}","ident":""}","data":{"url":"","data":{"repository":""}},"}}]}{"label":"","parameter":},{"label":"{"kind":"user","display":"{"kind":"pr","display":"{"kind":"repository","display":"{"kind":"branch","display":"{"kind":"sha","display":"{"kind":"file","display":"{"kind":"website","display":"{"kind":"browser","display":"{"kind":"commit","display":"{"kind":"data_source","display":"{"kind":"tool","display":"{"kind":"text","display":"{"kind":"number","display":""`,
  );
});
