import { expect, test } from 'vitest';
import { controlIds, definitions } from '../controls/catalog.ts';
import { independentCount } from '../controls/completeness.ts';
import { MAX_PATTERN_LENGTH, MAX_PATTERNS } from '../controls/parameters.ts';
import { PROTECTION_VALID_MINUTES } from '../controls/protection-polling.ts';
import { reasons } from '../controls/reasons.ts';
import { forEachControl } from '../controls/testing/each.ts';
import { validWaiver } from '../controls/testing/facts.ts';
import { textOf, utf8 } from '../ledger/bytes.ts';
import { censusKind } from '../ledger/census.ts';
import { timestampedText } from '../ledger/checkpoint.ts';
import { unsignedTimestampOf } from '../ledger/testing/timestamp.ts';
import { completeKinds } from './kinds.ts';
import { readme } from './readme.ts';
import { redactions } from './redaction.ts';
import {
  codesIn,
  compare,
  compareBundle,
  formatFields,
  formatFiles,
  formatKinds,
  formatPage,
  joinFindings,
  parseType,
  tablesOf,
} from './testing/format.ts';
import { appendChanges, buildTestBundle, bytesOf, createTestLedger } from './testing/scene.ts';
import { openZip } from './zip-read.ts';

// docs/format specifies every file and field of a bundle. These tests compare it with bundles and code.

test('specifies every file and field of bundles with all controls, and no other', async () => {
  const all = (await bundlesWithEveryField()).map((bundle) => compareBundle(openZip(bundle)));
  forEachControl(({ id }, variants) => {
    const rows = Object.entries(variants).flatMap(([field, values]) =>
      (values as readonly unknown[]).map((value) => ({ ...firstOf(variants), [field]: value, waivers: [validWaiver] })),
    );
    all.push(...rows.map((row) => compare(row, parseType('Row'), { path: id, control: id })));
  });
  const { problems, used } = joinFindings(all);
  expect(problems.slice(0, 20)).toEqual([]);
  const unused = new Set([...formatFields, ...formatFiles.map(({ path }) => `file ${path}`)]);
  for (const one of used) unused.delete(one);
  expect([...unused]).toEqual([]);
});

test('reports a file, a field and a value that are not specified', () => {
  const problemsOf = (value: unknown, type: string) => compare(value, parseType(type), { path: 'x' }).problems;
  const period = { from: '2026-07-01T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z' };
  expect(problemsOf(period, 'Period')).toEqual([]);
  expect(problemsOf({ ...period, until: null }, 'Period')).toEqual(['x.until is not in the table Period']);
  expect(problemsOf({ from: period.from }, 'Period')).toEqual(['x.to of the table Period is missing']);
  expect(problemsOf({ ...period, to: '2026-10-01' }, 'Period')).toEqual(['x.to is "2026-10-01"']);
  expect(problemsOf([1, -1], 'list of count')).toEqual(['x.1 is -1']);
  expect(problemsOf({ state: 'complete' }, 'fact of (time or null)')).toEqual(['x is no fact']);
  expect(problemsOf({ state: 'partial', value: null }, 'fact of (time or null)')).toEqual([]);
  expect(problemsOf('yes', '`"no"` or null')).toEqual(['x is "yes"']);
});

test('lists the kinds of entries, the reasons, the parameters and the limits of the code', () => {
  const without = formatKinds.filter((kind) => kind !== censusKind);
  expect(without.toSorted()).toEqual(completeKinds);
  const text = `${formatPage('controls.md')}${formatPage('evaluation.md')}`;
  expect(Object.keys(reasons).filter((code) => !new RegExp(`\\b${code}\\b`).test(text))).toEqual([]);
  const sections = formatPage('controls.md').split(/^## /m);
  for (const { id, parameters } of definitions) {
    const section = sections.find((one) => one.startsWith(`${id}\n`)) ?? '';
    expect(
      Object.keys(parameters).filter((name) => !codesIn(section).includes(name)),
      id,
    ).toEqual([]);
  }
  expect(sections.slice(1).map((one) => one.slice(0, one.indexOf('\n')))).toEqual(controlIds);
  expect(text).toContain(`capturedAt + ${PROTECTION_VALID_MINUTES} minutes`);
  expect(formatPage('package.md')).toContain(
    `| patterns of a parameter, and characters of each | ${MAX_PATTERNS}, ${MAX_PATTERN_LENGTH} |`,
  );
});

test('states the columns of CSV files and the text of the README', async () => {
  const [bundle] = await bundlesWithEveryField();
  const { file } = openZip(bundle ?? new Uint8Array());
  const tables = tablesOf('| CSV file | Columns | Rows |').flatMap(({ rows }) => rows);
  expect(tables).toHaveLength(6);
  for (const [path = '', columns = ''] of tables) {
    const name = (codesIn(path)[0] ?? '').replace('ID', 'CHG-01');
    const header = textOf(file(`csv/${name}`)).split('\r\n')[0];
    expect(header).toBe(
      `\uFEFF${codesIn(columns)
        .map((column) => `"${column}"`)
        .join(',')}`,
    );
  }
  const [, template = ''] = /```text\n([\s\S]*)```/.exec(formatPage('exports.md')) ?? [];
  const scope = {
    name: 'NAME',
    org: { id: 'org', name: 'ORGANIZATION' },
    period: { from: 'FROM', to: 'TO' },
    repositories: null,
    controls: [],
    supersedes: null,
  };
  expect(template).toBe(readme({ ...scope, redaction: 'none' }));
  const [redactionTable] = tablesOf('| `redaction` | Line |');
  expect(redactionTable?.rows.map(([redaction = '']) => codesIn(redaction)[0])).toEqual(redactions.slice(1));
  const last = '\nThe ledger is tamper-evident,';
  for (const [index, [, line = '']] of (redactionTable?.rows ?? []).entries()) {
    const redacted = `\n${codesIn(line)[0]}\nA disclosure key of the organization opens them.\n${last}`;
    expect(template.replace(last, redacted)).toBe(readme({ ...scope, redaction: redactions[index + 1] ?? 'none' }));
  }
});

const firstOf = (variants: object) =>
  Object.fromEntries(Object.entries(variants).map(([field, [first]]) => [field, first as unknown]));

/** Bundles that together have every file and field: one with all controls and a timestamp, one with an empty population. */
async function bundlesWithEveryField(): Promise<readonly Uint8Array[]> {
  const log = createTestLedger();
  const rows = appendChanges(log, 24);
  const anchors = [{ kind: 'witness', party: 'witness.example', size: 3, at: '2026-07-02T00:00:00.000Z' }];
  const first = await buildTestBundle(log, rows, { controls: controlIds, anchors });
  const stamp = unsignedTimestampOf(utf8(timestampedText(first.contents.checkpoint)));
  const exemptsAll = { branches: [], exemptBranches: ['**'], exemptLabels: [] };
  const second = await buildTestBundle(log, rows, {
    controls: ['CHG-06'],
    settings: [{ version: 1, from: '2026-01-01T00:00:00.000Z', until: null, repositories: null, setting: exemptsAll }],
    completeness: [independentCount('pushes', { expected: null, found: 1 })],
  });
  return [await bytesOf({ ...first.contents, stamp }), second.bundle];
}
