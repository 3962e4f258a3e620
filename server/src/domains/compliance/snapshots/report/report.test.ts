import { hash } from 'node:crypto';
import { happenedAt } from '@sightline/evidence/bundle/evaluated-rows.ts';
import { namesOfContents } from '@sightline/evidence/bundle/files.ts';
import { remediationKey } from '@sightline/evidence/bundle/remediations.ts';
import { reportOf } from '@sightline/evidence/bundle/report.ts';
import { MAX_REPORT_ROWS } from '@sightline/evidence/bundle/report-control.ts';
import {
  appendChanges,
  buildTestBundle,
  createTestLedger,
  key,
  notesOf,
  reportContentsOf,
  type Unpacked,
} from '@sightline/evidence/bundle/testing/scene.ts';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { beforeAll, expect, test } from 'vitest';
import { readPdf } from '#testing/pdf.ts';
import { drawReport } from './draw.ts';

let contents: Unpacked;
beforeAll(async () => {
  const log = createTestLedger();
  ({ contents } = await buildTestBundle(log, appendChanges(log, 60)));
});

const render = async (of: Unpacked): Promise<Uint8Array> => {
  const pdf = await drawReport(reportOf(reportContentsOf(of, of.entries, namesOfContents(of).repositories)));
  if (!pdf) throw new Error('There is no compiler for this platform');
  return pdf;
};

const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');

test('renders the rows of the evidence in the report, cell by cell', { tags: 'full' }, async () => {
  const { rows, heads, text, links } = await readPdf(await render(contents));
  const reportRows = rows.filter((cells) => cells.length === 5).map((cells) => cells.map(withoutSpaces));
  const { links: pullRequests, remediations } = notesOf(
    contents,
    contents.entries,
    namesOfContents(contents).repositories,
  );
  const evaluated = contents.runs.flatMap(({ control, rows: of }) =>
    of.map(({ row, verdict, reasons }) =>
      [
        row.leaf === null ? '' : String(row.leaf),
        row.subject + (pullRequests.get(row.leaf ?? -1)?.name ?? ''),
        happenedAt(control, row),
        remediations.get(remediationKey(control, row.subject)) ?? verdict,
        reasons.join(''),
      ].map(withoutSpaces),
    ),
  );
  expect(evaluated.length).toBeGreaterThan(180);
  expect(reportRows).toEqual(evaluated);
  expect(new Set(links)).toEqual(new Set([...pullRequests.values()].map(({ url }) => url)));
  expect(heads).toEqual(expect.arrayContaining(['Entry', 'Subject', 'Verdict', 'Control', 'Status']));
  expect(withoutSpaces(text)).toContain(withoutSpaces(contents.evaluated.root));
  expect(text).toContain('Tamper-evident, not immutable');
  expect(text).toContain('The ledger contains its hash');
  expect(text).toContain('No external anchor had a checkpoint');
});

test('lists the items that parameters excluded, for all controls and for each', async () => {
  const { rows, text } = await readPdf(await render(contents));
  expect(text).toContain('Items excluded by parameters');
  const listed = rows.filter((cells) => cells[0]?.endsWith('Exempt source branches'));
  expect(listed).toEqual([
    ['CHG-06: Exempt source branches', '1', '7', '0'],
    ['Exempt source branches', '1', '7', '0'],
  ]);
});

test('lists the weakened parameters of a control with their approval', async () => {
  const { rows } = await readPdf(await render(contents));
  const listed = rows.filter((cells) => cells.length === 6 && cells[2] === 'Exempt source branches');
  expect(listed.map(([at, , , ...rest]) => [at?.slice(0, 10), ...rest])).toEqual([
    ['2026-07-03', 'none', 'bot/*', 'Not independently approved. Author: per_owner'],
    ['2026-07-04', 'none', 'bot/*', 'Approved by another person. Author: per_author, approver: per_owner'],
    ['2026-07-05', 'none', 'bot/*', 'Approved by its author only, not independently approved. Author: per_owner'],
  ]);
});

test('renders identical bytes each time, with PDF/A metadata', { tags: 'full' }, async () => {
  const pdf = await render(contents);
  expect(hash('sha256', await render(contents))).toBe(hash('sha256', pdf));
  const raw = Buffer.from(pdf).toString('latin1');
  expect(raw).toContain('<pdfaid:part>2</pdfaid:part>');
  expect(raw).toContain('<pdfaid:conformance>A</pdfaid:conformance>');
  const { info } = await readPdf(pdf);
  expect(info).toMatchObject({ Title: 'Quarter 3, Acme', Language: 'en' });
});

test('renders text literally, whatever characters it contains', { tags: 'full' }, async () => {
  const name = '#panic("x") *not bold* \\ $x$ 監査 <a> 😀 \u202Eabc';
  const { text } = await readPdf(await render({ ...contents, scope: { ...contents.scope, name } }));
  expect(text).toContain('#panic("x") *not bold* \\ $x$ 監査 <a> [U+1F600] [U+202E]abc');
});

test('shows the rows of a large control that did not pass, and counts the omitted ones', async () => {
  const [run] = contents.runs;
  if (!run) throw new Error('There is no run');
  const good = run.rows.find(({ verdict }) => verdict === 'pass');
  if (!good) throw new Error('There is no row that passed');
  const many = Array.from({ length: MAX_REPORT_ROWS }, (_each, number) => ({
    ...good,
    row: { ...good.row, subject: `change:many_${number}` },
  }));
  const rows = [...run.rows, ...many];
  const { text, rows: drawnRows } = await readPdf(await render({ ...contents, runs: [{ ...run, rows }] }));
  const bad = run.rows.filter(({ verdict }) => verdict !== 'pass').length;
  expect(drawnRows.filter((cells) => cells.length === 5)).toHaveLength(bad);
  expect(text).toContain(`${rows.length - bad} further items are not listed here`);
});

test('commits to the report in the ledger entry of the snapshot', { tags: 'full' }, async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 60), {
    drawPdf: (report) => drawReport(reportOf(report)),
  });
  const verification = await verifyBundle(bundle, { keys: [key] });
  expect(verification).toMatchObject({ valid: true });
  expect(verification.limits.join(' ')).toContain('the one that the snapshot committed to');
});
