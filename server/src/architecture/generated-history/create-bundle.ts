import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSnapshot, getSnapshot } from '@sightline/contract/compliance/snapshots.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { verifyBundle } from '@sightline/evidence/bundle/verify.ts';
import { openZip } from '@sightline/evidence/bundle/zip-read.ts';
import { parseVerifier } from '@sightline/evidence/ledger/note.ts';
import type { ExpectedVerdict } from '@sightline/sandbox/planted/answer-key.ts';
import { expect } from 'vitest';
import { readPdf } from '#testing/pdf.ts';
import { hasPython, secondVerifier } from '../../cli/testing/second-verifier.ts';
import { nameSubjects } from './evaluate-control.ts';
import { type GeneratedHistory, waitFor } from './generated-history.ts';

/** A bundle of a generated history, verified by two programs. */
export interface HistoryBundle {
  /** The content of a file as text. */
  textOf: (path: string) => string;
  /** The rows of a control in its evidence, with the subjects of the answer key. */
  rowsOf: (control: ControlId) => Promise<ExpectedVerdict[]>;
  /** The rows of a control in the PDF, with the same subjects. */
  pdfRowsOf: (control: ControlId) => Promise<ExpectedVerdict[]>;
  pdfText: string;
}

type VerdictRow = Omit<ExpectedVerdict, 'control'>;

/**
 * Creates a snapshot and downloads its bundle. Fails unless both verifiers, the second one without shared code,
 * evaluate every row to the same result.
 */
export async function createVerifiedBundle(
  history: GeneratedHistory,
  { period, controls }: { period: string; controls: readonly ControlId[] },
): Promise<HistoryBundle> {
  const { bundle, key } = await downloadBundle(history, period, controls);
  const report = await verifyBundle(bundle, { keys: [parseVerifier(key)] });
  expect(report.valid, report.sentence).toBe(true);
  if (hasPython) expect(await verifyWithSecond(bundle, key)).toMatchObject({ valid: true, wrong: null });
  const files = openZip(bundle);
  const textOf = (path: string) => new TextDecoder().decode(files.file(path));
  const pdf = await readPdf(files.file('report.pdf'));
  const evidenceOf = (control: ControlId): VerdictRow[] =>
    textOf(`evidence/${control}.jsonl`)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as VerdictRow & { row: { subject: string } })
      .map(({ row: { subject }, verdict, reasons }) => ({ subject, verdict, reasons }));
  return {
    textOf,
    pdfText: pdf.text,
    rowsOf: (control) => nameSubjects(history, control, evidenceOf(control)),
    pdfRowsOf(control) {
      const before = controls.slice(0, controls.indexOf(control)).flatMap(evidenceOf);
      return nameSubjects(history, control, pdfRowsLike(pdf.rows, evidenceOf(control), before.length));
    },
  };
}

/**
 * The rows of a control in the PDF: `from` is the number of rows of the controls before it. A cell has the subject and
 * the name of the pull request, and lines break within words, so that the reasons are compared without spaces.
 */
function pdfRowsLike(rows: readonly string[][], evidence: readonly VerdictRow[], from: number): VerdictRow[] {
  return rows
    .filter((cells) => cells.length === 5)
    .slice(from, from + evidence.length)
    .map((cells) => cells.map((cell) => cell.replace(/\s+/g, '')))
    .map(([, name = '', , verdict, text = ''], index) => {
      const { subject = '', reasons = [] } = evidence[index] ?? {};
      return {
        subject: name.startsWith(subject) ? subject : name,
        verdict: verdict as VerdictRow['verdict'],
        reasons: reasons.join('') === text ? reasons : [text],
      };
    });
}

async function downloadBundle({ server, org }: GeneratedHistory, period: string, controls: readonly ControlId[]) {
  const call = server.as(org.owner, org.id);
  const { id } = await call(createSnapshot, { body: { name: 'Scenarios', period, controls: [...controls] } });
  let key = '';
  await waitFor(async () => {
    const now = await call(getSnapshot, { params: { snapshotId: id } });
    expect([now.state, now.problem]).toEqual(['ready', null]);
    key = now.key ?? '';
  });
  const token = await server.token(org.owner, org.id);
  const response = await fetch(`${server.url}/api/v2/snapshots/${id}/bundle`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { bundle: new Uint8Array(await response.arrayBuffer()), key };
}

async function verifyWithSecond(bundle: Uint8Array, key: string): Promise<{ valid: boolean; wrong: unknown }> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-scenarios-'));
  const path = join(folder, 'bundle.zip');
  await writeFile(path, bundle);
  const { stdout } = spawnSync('python3', ['-B', secondVerifier, path, '--key', key, '--json'], { encoding: 'utf8' });
  await rm(folder, { recursive: true });
  return JSON.parse(stdout) as { valid: boolean; wrong: unknown };
}
