import { type Parameter, parameterKinds } from '@sightline/contract/timeline/events.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completeTexts } from './complete-texts.ts';

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\\', '"', '","ident":"', '{', '}]}', ']', '","data":{}', '{"kind":"user","display":"'),
);
const parameter: fc.Arbitrary<Parameter> = fc
  .record({ kind: fc.constantFrom(...parameterKinds), display: text, ident: text, more: fc.nat(5) })
  .map(({ kind, display, ident, more }) => ({
    kind,
    display,
    ident,
    ...(more === 1 && { data: { url: `https://code.example.org/${ident}` } }),
    ...(more === 2 && { data: { repository: display, other: [{ display, ident: {} }], count: 1 } }),
    ...(more === 3 && { data: {}, icon: display }),
    ...(more === 4 && { icon: display }),
  }));

/** The fields that section 3 of the specification names, written with the JSON functions of the language. */
const completed = (given: Parameter) => ({ ...given, data: given.data ?? {}, icon: given.icon ?? given.kind });

function expected(phrase: string, parameters: Parameter[], details: { label: string; parameter: Parameter }[]): string {
  const summary = { phrase, parameters: parameters.map(completed) };
  const detail = {
    parameters: details.map(({ label, parameter: one }) => ({ label, ...completed(one), parameter: completed(one) })),
  };
  return JSON.stringify({ summary, detail }).slice(1, -1);
}

const parameters = fc.array(parameter, { maxLength: 5 });
const details = fc.array(fc.record({ label: text, parameter }), { maxLength: 4 });

test('completes parameters as if their texts were parsed and written again', () => {
  fc.assert(
    fc.property(text, parameters, details, (phrase, of, more) => {
      const summary = JSON.stringify({ phrase, parameters: of });
      expect(completeTexts(summary, JSON.stringify(more))).toBe(expected(phrase, of, more));
    }),
    { numRuns: 500 },
  );
});

test('completes texts of another writer, whose members have another order or spaces between them', () => {
  fc.assert(
    fc.property(text, parameters, details, fc.constantFrom(0, 1), (phrase, of, more, space) => {
      const reversed = <T extends object>(given: T): T => Object.fromEntries(Object.entries(given).reverse()) as T;
      const summary = JSON.stringify({ parameters: of.map(reversed), phrase }, null, space);
      const detail = more.map((one) => reversed({ ...one, parameter: reversed(one.parameter) }));
      const completedTexts = JSON.parse(`{${completeTexts(summary, JSON.stringify(detail, null, space))}}`);
      expect(completedTexts).toEqual(JSON.parse(`{${expected(phrase, of, more)}}`));
    }),
    { numRuns: 200 },
  );
});
