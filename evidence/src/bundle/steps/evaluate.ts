import type { ControlId } from '../../controls/catalog.ts';
import { evidenceLine, type JudgedRow } from '../../controls/evidence-line.ts';
import type { PopulationRow } from '../../controls/rows.ts';
import type { Completeness, SettingVersion } from '../../controls/run.ts';
import { textOf } from '../../ledger/bytes.ts';
import { canonical, isList, isRecord } from '../../ledger/canonical.ts';
import { changeKind, heldBy } from '../change-tie.ts';
import { controlFile, factsOf, judge } from '../evaluated-rows.ts';
import { partsPath } from '../files.ts';
import { type LineFields, linesOf, parsed } from '../lines.ts';
import { fileOf, type JudgedControl, type LeafEntry, needed, type VerificationState } from '../opened.ts';
import type { ControlWithRows } from '../packed-run.ts';
import { hashOf, runKind, runOf, runSubject } from '../run-entry.ts';

/** Step 7. */
export function judgeAgain(opened: VerificationState): string {
  opened.parts = partsIn(opened);
  const done = opened.manifest.controls.map((id) => judgeControl(opened, id));
  opened.controls = done.map(({ control }) => control);
  opened.told = done.map(({ told }) => told);
  const rows = opened.controls.reduce((sum, { counts }) => sum + counts.population, 0);
  return `${rows} items of ${done.length} controls.`;
}

/** The parts of changes by the place of their entry, each what the entry holds the hash of. */
function partsIn(opened: VerificationState): ReadonlyMap<number, LineFields> {
  const entries = needed(opened.entries);
  const shown = new Map<number, LineFields>();
  for (const { index, parts } of linesOf(partsPath, fileOf(opened, partsPath), ['index', 'parts'])) {
    const entry = entries.get(Number(index));
    if (
      entry?.kind !== changeKind ||
      !isRecord(parts) ||
      hashOf(parts) !== entry.subject.parts ||
      shown.has(entry.index)
    ) {
      throw new Error(`The parts of the change of entry ${String(index)} do not match the entry`);
    }
    shown.set(entry.index, parts);
  }
  return shown;
}

function judgeControl(opened: VerificationState, id: ControlId): { control: JudgedControl; told: ControlWithRows } {
  const { manifest } = opened;
  const entries = needed(opened.entries);
  const path = `controls/${id}.json`;
  const said = parsed(textOf(fileOf(opened, path)), path);
  const { settings = [], completeness = [], run: leaf } = isRecord(said) ? said : {};
  if (!isList(settings) || !isList(completeness) || typeof leaf !== 'number')
    throw new Error(`${path} lacks its evaluation parameters`);
  const evidence = `evidence/${id}.jsonl`;
  const given = linesOf(evidence, fileOf(opened, evidence), ['row', 'setting', 'verdict', 'reasons']).map(
    ({ row }) => row as unknown as PopulationRow,
  );
  const versions = settings as unknown as SettingVersion<unknown>[];
  const { run, rows } = judge(id, given, versions, completeness as unknown as Completeness[]);
  if (textOf(fileOf(opened, evidence)) !== rows.map((row) => `${evidenceLine(row)}\n`).join('')) {
    throw new Error(`${id}: its items have a different result when evaluated again`);
  }
  const judged = { epoch: manifest.ledger.epoch, ...manifest.judged };
  const facts = factsOf(
    manifest,
    judged,
    { control: id, settings: versions, completeness: run.completeness, rows },
    run,
  );
  const ofRun = entries.get(leaf);
  if (ofRun?.kind !== runKind || canonical(ofRun.subject) !== canonical(runSubject(facts))) {
    throw new Error(`${id}: the evaluation in the ledger does not match the bundle`);
  }
  const runs = refuseOlderRun(id, ofRun, entries);
  if (canonical(controlFile(facts, leaf, rows, manifest.judged)) !== canonical(said)) {
    throw new Error(`${id}: its counts or sample do not match`);
  }
  refuseUnproved(id, rows, entries, manifest.judged.size);
  const held = heldBy(id, rows, { entries: entries.values(), parts: needed(opened.parts) }, manifest, versions);
  const { counts, status } = run;
  return { control: { id, counts, status, held, runs }, told: { id, rows, run, settings } };
}

/** Of several runs of the same, nobody may show an earlier one that came out better. Answers how many there are. */
function refuseOlderRun(id: string, shown: LeafEntry, entries: ReadonlyMap<number, LeafEntry>): number {
  const same = [...entries.values()].filter(
    ({ kind, subject }) => kind === runKind && runOf(subject) === runOf(shown.subject),
  );
  if (same.some(({ index }) => index > shown.index))
    throw new Error(`${id}: it was evaluated again later, and the bundle does not include that evaluation`);
  return same.length;
}

function refuseUnproved(
  id: string,
  rows: readonly JudgedRow[],
  entries: ReadonlyMap<number, LeafEntry>,
  size: number,
): void {
  for (const { row } of rows) {
    const leaves = row.leaf === null ? row.leaves : [row.leaf, ...row.leaves];
    const missing = leaves.find((leaf) => leaf >= size || !entries.has(leaf));
    if (missing !== undefined) throw new Error(`${id}: ${row.subject} depends on entry ${missing}, which is missing`);
  }
}
