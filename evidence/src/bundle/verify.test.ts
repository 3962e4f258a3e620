import { expect, test } from 'vitest';
import { textOf, utf8 } from '../ledger/bytes.ts';
import { timestampedText } from '../ledger/checkpoint.ts';
import { signatureLine } from '../ledger/note.ts';
import { unsignedTimestampOf } from '../ledger/testing/timestamp.ts';
import { manifestPath } from './manifest.ts';
import { appendChanges, buildTestBundle, bytesOf, createTestLedger, key, withoutPerson } from './testing/scene.ts';
import { verifyBundle } from './verify.ts';
import { openZip } from './zip-read.ts';
import { packZipFile } from './zip-write.ts';

const failed = (report: Awaited<ReturnType<typeof verifyBundle>>) =>
  report.steps.filter(({ state }) => state === 'failed');

test('verifies a bundle by itself and reports what it shows and what not', async () => {
  const log = createTestLedger();
  const { bundle, contents } = await buildTestBundle(log, appendChanges(log, 60));
  const report = await verifyBundle(bundle, { keys: [key] });
  expect(failed(report)).toEqual([]);
  expect(report).toMatchObject({ valid: true, bundle: { name: 'Quarter 3', organization: 'Acme' } });
  expect(report.sentence).toContain('183 items of 6 controls');
  expect(report.sentence).toContain('no external anchor was verified');
  expect(report.controls.map(({ id, commitment, runs }) => [id, commitment, runs])).toEqual([
    ['CHG-01', 'entries', 1],
    ['CHG-03', 'entries', 1],
    ['CHG-04', 'run', 1],
    ['CHG-06', 'entries', 1],
    ['SCN-02', 'run', 1],
    ['TOL-01', 'run', 1],
  ]);
  expect(report.controls[0]).toMatchObject({ status: 'failing', counts: { population: 60 } });
  expect(report.steps.map(({ number, state }) => [number, state])).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((number) => [number, 'ok']),
    [9, 'skipped'],
  ]);
  expect(await bytesOf(contents)).toEqual(bundle);
});

test('contains each row that a setting excluded, and rejects a bundle that hides one', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 30));
  const text = (path: string) => textOf(openZip(bundle).file(path));
  expect(text('excluded/CHG-06.jsonl').split('\n')).toHaveLength(4);
  expect(text('csv/excluded.csv')).toContain('"CHG-06","exemptBranches",1,3,0');
  expect(JSON.parse(text('controls/CHG-06.json')).exclusions).toEqual([
    { parameter: 'exemptBranches', setting: 1, items: 3, byDefault: 0 },
  ]);
  const { limits } = await verifyBundle(bundle, { keys: [key] });
  expect(limits.join(' ')).toContain('3 of CHG-06 by exemptBranches of setting version 1');
  const other = createTestLedger();
  const hidden = await buildTestBundle(other, appendChanges(other, 30), { hidesExcluded: true });
  const report = await verifyBundle(hidden.bundle, { keys: [key] });
  expect(failed(report)[0]?.message).toMatch(/^CHG-06: the change of entry \d+ is missing\.$/);
});

test('verifies a bundle without a report, which its snapshot could not draw', async () => {
  const log = createTestLedger();
  const drawPdf = () => Promise.resolve(undefined);
  const { bundle } = await buildTestBundle(log, appendChanges(log, 5), { drawPdf });
  expect(openZip(bundle).paths).not.toContain('report.pdf');
  expect(failed(await verifyBundle(bundle, { keys: [key] }))).toEqual([]);
});

test('states what under a checkpoint it cannot verify', async () => {
  const log = createTestLedger();
  const { contents } = await buildTestBundle(log, appendChanges(log, 5));
  const unknown = signatureLine('witness.example', new Uint8Array(76));
  const stamp = unsignedTimestampOf(utf8(timestampedText(contents.checkpoint)));
  const bundle = await bytesOf({ ...contents, stamp, checkpoint: `${contents.checkpoint}${unknown}` });
  const { steps, limits, sentence } = await verifyBundle(bundle, { keys: [key] });
  expect(steps[2]?.message).toContain('Without their keys, signatures of witness.example were not verified.');
  expect(steps[2]?.message).toContain('Its timestamp was not verified');
  expect(limits.filter((limit) => limit.includes('not verified:'))).toHaveLength(2);
  expect(sentence).toContain('no external anchor was verified');
});

test('verifies a bundle with withheld personal data', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 30), { redaction: 'people' });
  const report = await verifyBundle(bundle, { keys: [key] });
  expect(failed(report)).toEqual([]);
  expect(report.limits.join(' ')).toContain('92 commitments are not disclosed');
  expect(report.bundle?.people).toEqual([]);
});

test('verifies the remaining disclosures after a person was erased', async () => {
  const log = createTestLedger();
  const { contents } = await buildTestBundle(log, appendChanges(log, 30));
  expect(contents.people).toEqual([
    { person: 'per_author', accounts: [{ host: 'github.com', id: '583231' }] },
    { person: 'per_reviewer', accounts: [{ host: 'github.com', id: '7342' }] },
  ]);
  const report = await verifyBundle(await bytesOf(withoutPerson(contents, 'per_reviewer')), { keys: [key] });
  expect(report.steps[4]?.message).toBe('69 disclosed, 31 redacted.');
  expect(report.valid).toBe(true);
  expect(report.bundle?.people.map(({ person }) => person)).toEqual(['per_author']);
  expect(report.limits.join(' ')).toContain('Nothing of 1 person is disclosed.');
});

test('shows that a later bundle continues an earlier one, and rejects a rewritten ledger', async () => {
  const log = createTestLedger();
  const rows = appendChanges(log, 30);
  const first = await buildTestBundle(log, rows);
  const second = await buildTestBundle(log, [...rows, ...appendChanges(log, 10, 30)], {
    earlier: [first.contents.ledger.size],
  });
  const continued = await verifyBundle(second.bundle, { keys: [key], previous: first.bundle });
  expect(failed(continued)).toEqual([]);
  expect(continued.steps[8]).toMatchObject({ state: 'ok' });
  expect(continued.controls[0]).toMatchObject({ id: 'CHG-01', runs: 2 });
  const swapped = await verifyBundle(first.bundle, { keys: [key], previous: second.bundle });
  expect(swapped.sentence).toContain('Swap the two');
  const rewritten = createTestLedger();
  const forged = await buildTestBundle(rewritten, appendChanges(rewritten, 50));
  expect(await verifyBundle(forged.bundle, { keys: [key] })).toMatchObject({ valid: true });
  expect((await verifyBundle(forged.bundle, { keys: [key], previous: first.bundle })).valid).toBe(false);
});

test('rejects an earlier run with a better result', async () => {
  const log = createTestLedger();
  const rows = appendChanges(log, 30);
  const first = await buildTestBundle(log, rows);
  const second = await buildTestBundle(log, [...rows, ...appendChanges(log, 10, 30)]);
  // The second checkpoint with the first evaluation, whose rows and runs are all in the ledger.
  const bundle = await bytesOf({
    ...second.contents,
    evaluated: first.contents.evaluated,
    runs: first.contents.runs,
    parts: second.contents.parts,
    earlier: [],
  });
  expect((await verifyBundle(bundle, { keys: [key] })).valid).toBe(false);
});

test('unpacks nothing of a bundle before its signature is verified', async () => {
  const log = createTestLedger();
  const { bundle } = await buildTestBundle(log, appendChanges(log, 5));
  const { bytes } = packZipFile(manifestPath, openZip(bundle).file(manifestPath));
  // No DEFLATE stream starts with this byte.
  bundle[Buffer.from(bundle).indexOf(bytes)] = 0xff;
  const { steps } = await verifyBundle(bundle, { keys: [key] });
  expect(steps[0]?.message).toBe('The signature is for different content.');
});
