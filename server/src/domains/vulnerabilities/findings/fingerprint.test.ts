import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScanResult } from '#testing/findings.ts';
import { fingerprintKeysOf, normalizePath, occurrenceKey } from './fingerprint.ts';
import { alignLines, type PairCandidate, pairRenamedFiles, pairResults } from './pairing.ts';

const codeql = { source: 'sarif' as const, tool: { key: 'codeql', name: 'CodeQL', version: '2.5.4' } };
const word = fc.string({ minLength: 1, maxLength: 20 });
const line = fc.integer({ min: 1, max: 5000 });
const code = fc.stringMatching(/^[a-z(){}; ]{0,10}const [a-z]{12,30} = [a-z]{3,9};$/);

describe('the fingerprint of a result', () => {
  test('ignores version and name of the scanner, texts and severity', () => {
    fc.assert(
      fc.property(word, word, word, (version, name, message) => {
        const one = fingerprintKeysOf(codeql, createScanResult());
        const other = createScanResult({ message, title: name, severity: 'low', cwes: [1], description: message });
        expect(fingerprintKeysOf({ ...codeql, tool: { key: 'codeql', name, version } }, other)).toEqual(one);
      }),
    );
  });

  test('ignores the line where content exists, and formatting of content', () => {
    fc.assert(
      fc.property(code, line, line, (snippet, one, other) => {
        const key = fingerprintKeysOf(codeql, createScanResult({ snippet, line: one }));
        expect(
          fingerprintKeysOf(
            codeql,
            createScanResult({ snippet: `  ${snippet.replaceAll(' ', '\n\t ')}  `, line: other }),
          ),
        ).toEqual(key);
        expect(fingerprintKeysOf(codeql, createScanResult({ snippet: null, content: snippet, line: one }))).toEqual(
          fingerprintKeysOf(codeql, createScanResult({ snippet: 'other code here', content: snippet, line: other })),
        );
      }),
    );
  });

  test('keeps only the moved key for a renamed file', () => {
    fc.assert(
      fc.property(code, word, (content, name) => {
        const one = fingerprintKeysOf(codeql, createScanResult({ content, path: 'src/a.ts' }));
        const other = fingerprintKeysOf(codeql, createScanResult({ content, path: `lib/${normalizePath(name)}.ts` }));
        expect(other.movedKey).toBe(one.movedKey);
        expect([other.key, other.nearKey]).not.toContain(one.key);
      }),
    );
  });

  test('differs by scanner, rule, path, content and, without content, by line', () => {
    const keys = [
      createScanResult(),
      createScanResult({ ruleId: 'xss' }),
      createScanResult({ path: 'src/b.ts' }),
      createScanResult({ line: 11 }),
      createScanResult({ content: 'hash' }),
      createScanResult({ snippet: 'const query = concat(input);' }),
      createScanResult({ package: { name: 'lodash', version: '4.17.1', fixedIn: null } }),
    ].map((result) => fingerprintKeysOf(codeql, result).key);
    const elsewhere = fingerprintKeysOf(
      { ...codeql, tool: { key: 'semgrep', name: 'Semgrep', version: null } },
      createScanResult(),
    ).key;
    expect(new Set([...keys, elsewhere]).size).toBe(8);
  });

  test('is the same for every notation of a path', () => {
    for (const path of ['src/a.ts', './src/a.ts', '/src//a.ts', 'src\\a.ts', 'src/./a.ts']) {
      expect(normalizePath(path)).toBe('src/a.ts');
    }
    expect(normalizePath('caf\u0065\u0301.ts')).toBe(normalizePath('caf\u00e9.ts'));
    expect(normalizePath(null)).toBe('');
  });

  test('ignores brackets and masked secrets as content of a moved file', () => {
    expect(fingerprintKeysOf(codeql, createScanResult({ snippet: '});' })).movedKey).toBeNull();
    expect(
      fingerprintKeysOf(codeql, createScanResult({ snippet: 'password = "**********"', category: 'secret' })).movedKey,
    ).toBeNull();
  });

  test('is the same for a newer version of a dependency', () => {
    const at = (version: string) =>
      fingerprintKeysOf(
        codeql,
        createScanResult({ ruleId: 'CVE-2021-23337', package: { name: 'Lodash', version, fixedIn: null } }),
      );
    expect(at('4.17.1')).toEqual(at('4.17.2'));
  });

  test('uses the number of a code host alert, wherever its code moves', () => {
    const alerts = { ...codeql, source: 'code_scanning' as const };
    const at = (path: string) => fingerprintKeysOf(alerts, createScanResult({ content: '7', path })).key;
    expect(at('src/a.ts')).toBe(at('lib/b.ts'));
    expect(fingerprintKeysOf(codeql, createScanResult({ content: '7', path: 'lib/b.ts' })).key).not.toBe(
      at('lib/b.ts'),
    );
  });

  test('is distinct for the occurrence of equal results', () => {
    const { key } = fingerprintKeysOf(codeql, createScanResult());
    expect(new Set([1, 2, 3, 4].map((occurrence) => occurrenceKey(key, occurrence))).size).toBe(4);
    expect(occurrenceKey(key, 1)).toBe(key);
  });
});

const shuffled = <One>(list: One[]) => fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length });
let created = 0;
const unpairedOf = (over: Partial<PairCandidate>): PairCandidate => {
  created += 1;
  return { id: `id ${created}`, ruleId: 'r', movedKey: null, nearKey: 'near', path: 'a.ts', line: 1, ...over };
};
const linesOf = (pairs: { fresh: PairCandidate; gone: PairCandidate }[]) =>
  pairs.map(({ fresh, gone }) => `${gone.path}:${gone.line} ${fresh.path}:${fresh.line}`).sort();

describe('pairing of vanished and new results', () => {
  test('does not depend on the order of arrival', () => {
    const gone = [5, 20, 40].map((line) => unpairedOf({ line, movedKey: 'm' }));
    const fresh = [6, 21, 41, 60].map((line) => unpairedOf({ line, movedKey: 'm', path: 'b.ts' }));
    const expected = ['a.ts:20 b.ts:21', 'a.ts:40 b.ts:41', 'a.ts:5 b.ts:6'];
    fc.assert(
      fc.property(shuffled(fresh), shuffled(gone), (newOnes, oldOnes) => {
        expect(linesOf(pairResults(newOnes, oldOnes))).toEqual(expected);
      }),
    );
  });

  test('pairs a rule within a file by line order without content, not with different content', () => {
    const gone = [unpairedOf({ line: 5 }), unpairedOf({ line: 9 })];
    expect(linesOf(pairResults([unpairedOf({ line: 12 }), unpairedOf({ line: 8 })], gone))).toEqual([
      'a.ts:5 a.ts:8',
      'a.ts:9 a.ts:12',
    ]);
    expect(pairResults([unpairedOf({ movedKey: 'new' })], [unpairedOf({ movedKey: 'old' })])).toEqual([]);
    expect(pairResults([unpairedOf({ nearKey: 'x' })], [unpairedOf({ nearKey: 'y' })])).toEqual([]);
  });

  test('finds a renamed file by rules and lines, a moved one among similar files by name', () => {
    const file = (path: string, lines: number[]) => lines.map((line) => unpairedOf({ path, line, nearKey: path }));
    expect(linesOf(pairRenamedFiles(file('new.ts', [3, 9]), file('old.ts', [3, 9])))).toEqual([
      'old.ts:3 new.ts:3',
      'old.ts:9 new.ts:9',
    ]);
    expect(pairRenamedFiles(file('new.ts', [3, 10]), file('old.ts', [3, 9]))).toEqual([]);
    const before = [...file('src/a.ts', [7]), ...file('src/b.ts', [7])];
    const after = [...file('lib/b.ts', [7]), ...file('lib/a.ts', [7])];
    expect(linesOf(pairRenamedFiles(after, before))).toEqual(['src/a.ts:7 lib/a.ts:7', 'src/b.ts:7 lib/b.ts:7']);
    expect(pairRenamedFiles(file('x.ts', [7]), before)).toEqual([]);
    // Half of all files have a result at line 1.
    expect(pairRenamedFiles(file('new.ts', [1]), file('old.ts', [1]))).toEqual([]);
  });

  test('aligns lines in order, all of the shorter list, with minimal movement', () => {
    const lists = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }).map((list) => list.sort((a, b) => a - b));
    const cost = (one: number[], other: number[], pairs: [number, number][]) =>
      pairs.reduce((sum, [a, b]) => sum + Math.abs((one[a] ?? 0) - (other[b] ?? 0)), 0);
    fc.assert(
      fc.property(lists, lists, (one, other) => {
        const pairs = alignLines(one, other);
        expect(pairs.length).toBe(Math.min(one.length, other.length));
        expect(
          pairs.every(
            ([a, b], index) => index === 0 || (a > (pairs[index - 1]?.[0] ?? -1) && b > (pairs[index - 1]?.[1] ?? -1)),
          ),
        ).toBe(true);
        expect(cost(one, other, pairs)).toBe(leastCost(one, other));
      }),
    );
  });
});

/** Returns the least cost by exhaustive search. */
function leastCost(one: number[], other: number[]): number {
  if (one.length > other.length) return leastCost(other, one);
  const [first, ...others] = one;
  if (first === undefined) return 0;
  return Math.min(
    ...other
      .slice(0, other.length - others.length)
      .map((value, index) => Math.abs(first - value) + leastCost(others, other.slice(index + 1))),
  );
}
