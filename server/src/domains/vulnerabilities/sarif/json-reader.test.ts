import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonItem, type JsonPath, JsonProblem, type JsonReaderOptions } from './json.ts';
import { createJsonReader } from './json-reader.ts';

const enterAll = { enter: () => true };

type Leaf = Omit<JsonItem, 'at'>;

/** Returns the values of a text that is read in chunks of these lengths. */
function read(text: string | Buffer, options: JsonReaderOptions = enterAll, ...lengths: number[]): Leaf[] {
  const reader = createJsonReader(options);
  const bytes = Buffer.from(text as string);
  const items: JsonItem[] = [];
  let from = 0;
  for (let index = 0; from < bytes.length; index += 1) {
    const to = from + Math.max(from === 0 ? 4 : 1, lengths[index % lengths.length] ?? bytes.length);
    items.push(...reader.write(bytes.subarray(from, to)));
    from = to;
  }
  items.push(...reader.end());
  return items.map(({ path, value }) => ({ path, value }));
}

const problemOf = (text: string | Buffer, options?: JsonReaderOptions, ...lengths: number[]): JsonProblem => {
  try {
    read(text, options, ...lengths);
  } catch (error) {
    if (error instanceof JsonProblem) return error;
    throw error;
  }
  throw new Error('It was taken');
};

/** Returns every primitive of a value with its path, as a reader that enters everything does. */
const primitivesOf = (value: unknown, path: JsonPath = []): Leaf[] =>
  typeof value !== 'object' || value === null
    ? [{ path, value }]
    : Object.entries(value).flatMap(([key, inner]) =>
        primitivesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
      );

const byPath = (items: Leaf[]) => items.toSorted((one, other) => (`${one.path}` < `${other.path}` ? -1 : 1));

describe('a chunked document', () => {
  test('is parsed like JSON.parse, regardless of chunk boundaries', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        fc.constantFrom(undefined, 1, '\t'),
        (value, lengths, indent) => {
          // Keys such as "0" change their order in an object; both sides get the same order.
          const text = JSON.stringify(JSON.parse(JSON.stringify([value])), null, indent);
          expect(read(text, enterAll, ...lengths)).toEqual(primitivesOf(JSON.parse(text)));
        },
      ),
    );
  });

  test('is returned in the requested parts', () => {
    const text = JSON.stringify({ a: [{ b: [1, 2] }, { b: 'ü\\"' }], c: { d: null } });
    const enter = (path: JsonPath) => path.length < 2;
    for (const length of [1, 2, 7, 100]) {
      expect(read(text, { enter }, length)).toEqual([
        { path: ['a', 0], value: { b: [1, 2] } },
        { path: ['a', 1], value: { b: 'ü\\"' } },
        { path: ['c', 'd'], value: null },
      ]);
    }
  });

  test('is rejected when damaged, or parsed as JSON.parse still parses it', () => {
    const good = JSON.stringify({ a: [1, { b: 'text \\u00fc' }, []], 'c d': { e: true, f: -1.5e3 } });
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.constantFrom(...'{}[]",:\\0a \n'), fc.nat(3), (at, replacement, cut) => {
        const text = good.slice(0, at) + replacement + good.slice(at + cut);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(problemOf(text, enterAll, 3).reason).toMatch(/./);
          expect(problemOf(text, { enter: (path) => path.length === 0 }).reason).toMatch(/./);
          return;
        }
        const hasDuplicateKeys = JSON.stringify(expected).length < text.replace(/\s/g, '').length - 4;
        // A key that became a number changes its order in the result of JSON.parse.
        if (!hasDuplicateKeys) expect(byPath(read(text, enterAll, 2))).toEqual(byPath(primitivesOf(expected)));
      }),
      { numRuns: 500 },
    );
  });
});

describe('a parse error reports path, line and column', () => {
  test.each([
    ['', '', 'is empty', 1, 1],
    ['   \n ', '', 'is empty', 2, 2],
    ['{"a":', 'a', 'is truncated', 1, 6],
    ['{"runs":[{"results":[{"a":1},{"b"', 'runs[0].results[1].b', 'is truncated', 1, 34],
    ['{"runs":[\n {"a": 1', 'runs[0]', 'is truncated', 2, 9],
    ['{"runs":[\n {"a": 1,', 'runs[0]', 'is truncated', 2, 10],
    ['{\n "a": 1,\n}', '', 'is not JSON: a key in quotation marks is missing', 3, 1],
    ['[1 2]', '[0]', 'is not JSON: a comma or the end of the list is missing', 1, 4],
    ['{"a" 1}', 'a', 'is not JSON: a colon is missing after the key', 1, 6],
    ['{"a": nope}', 'a', 'is not JSON', 1, 7],
    ['{}{}', '', 'contains data after its end', 1, 3],
    ['hello', '', 'is not JSON: a value is missing', 1, 1],
    ['{"a":1,"a":2}', '', 'contains the key "a" twice', 1, 11],
    ['{"runs":[\n {"a": 1,\n "b": "x, "c": 2}', 'runs[0]', 'is not JSON', 3, 12],
    ['{"a":"ü","b":[1,nul]}', 'b[1]', 'is not JSON', 1, 17],
    ['\ufeff{"a" 1}', 'a', 'is not JSON: a colon is missing after the key', 1, 6],
    ['{"runs":[\n {"a": nul}', 'runs[0]', 'is not JSON', 2, 8],
    ['{"a b":[}', '["a b"][0]', 'is not JSON: a value is missing', 1, 9],
  ])('for %j', (text, place, reason, line, column) => {
    const enter = ([, second]: JsonPath) => !text.includes('\n {') || second === undefined;
    for (const length of [2, 100]) {
      const problem = problemOf(text, { enter }, length);
      expect([problem.place, problem.reason, problem.line, problem.column]).toEqual([place, reason, line, column]);
    }
  });

  test('for nesting that is too deep, whether entered or skipped', () => {
    const text = `{"a":${'['.repeat(5000)}`;
    expect(problemOf(text).reason).toBe('is nested deeper than 100 levels');
    expect(problemOf(text, { enter: (path) => path.length === 0 }).reason).toBe('is nested deeper than 100 levels');
  });

  test('for a single value that is too large', () => {
    const text = JSON.stringify({ a: 'x'.repeat(2_000_000) });
    const problem = problemOf(text, { ...enterAll, maxItem: 1_000_000 }, 65_536);
    expect([problem.place, problem.reason]).toEqual(['a', 'is larger than 1 MB']);
  });

  test('for encodings other than UTF-8', () => {
    const wide = 'is encoded in UTF-16 or UTF-32. JSON must be UTF-8';
    expect(problemOf(Buffer.from('\ufeff{}', 'utf16le')).reason).toBe(wide);
    expect(problemOf(Buffer.from('{}', 'utf16le')).reason).toBe(wide);
    for (const bytes of [[0xff], [0xc3], [0xef, 0x28], [0xe2, 0x82], [0xed, 0xa0, 0x80]]) {
      for (const length of [2, 100]) {
        const problem = problemOf(
          Buffer.concat([Buffer.from('{"ü":"é\n😀 '), Buffer.from(bytes), Buffer.from('"}')]),
          enterAll,
          length,
        );
        expect([problem.reason, problem.line, problem.column]).toEqual(['is not encoded in UTF-8', 2, 4]);
      }
    }
  });
});

test('skips a byte order mark', () => {
  expect(read('\ufeff{"a":1}')).toEqual([{ path: ['a'], value: 1 }]);
});

test('stops after the first value when reading part of a document', () => {
  const reader = createJsonReader({ enter: (path) => path.length === 0, part: true });
  expect(reader.write(Buffer.from('[1,2]}]}rest')).map(({ value }) => value)).toEqual([1, 2]);
  expect(reader.isDone()).toBe(true);
});
