import type { ControlId } from '../../controls/catalog.ts';
import type { Completeness } from '../../controls/completeness.ts';
import { evidenceLine, excludedLine } from '../../controls/evidence-line.ts';
import type { PopulationRow } from '../../controls/rows.ts';
import type { SettingVersion } from '../../controls/run.ts';
import { textOf } from '../../ledger/bytes.ts';
import { canonicalJson, isList, isRecord } from '../../ledger/canonical.ts';
import { changeKind } from '../change-entries.ts';
import { controlFile, evaluateRows, excludedPath, runFactsOf } from '../evaluated-rows.ts';
import { partsPath } from '../files.ts';
import { joinLines, type LineFields, parseCanonicalJson, parseCanonicalLines } from '../lines.ts';
import type { ControlWithRows } from '../packed-run.ts';
import { verifyRecordedRows } from '../recorded-rows.ts';
import { repositoriesIn } from '../repositories.ts';
import { hashOf, runKey, runKind, runSubject } from '../run-entry.ts';
import {
  fileOf,
  type LeafEntry,
  requireStep,
  type VerificationState,
  type VerifiedControl,
} from '../verification-state.ts';
import { verifyChangeRows } from '../verify-change-rows.ts';
import { weakeningsIn } from '../weakenings.ts';

/** Step 7: evaluates the controls again. */
export function reevaluateControls(state: VerificationState): string {
  state.parts = partsIn(state);
  const done = state.manifest.controls.map((id) => reevaluateControl(state, id));
  state.controls = done.map(({ control }) => control);
  state.evaluatedControls = done.map(({ evaluatedControl }) => evaluatedControl);
  const rows = state.controls.reduce((sum, { counts }) => sum + counts.population, 0);
  return `${rows} items of ${done.length} controls.`;
}

/** The parts of changes by entry index. Throws if they do not match the hash in the entry. */
function partsIn(state: VerificationState): ReadonlyMap<number, LineFields> {
  const entries = requireStep(state.entries);
  const shown = new Map<number, LineFields>();
  for (const { index, parts } of parseCanonicalLines(partsPath, fileOf(state, partsPath), ['index', 'parts'])) {
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

function reevaluateControl(
  state: VerificationState,
  id: ControlId,
): { control: VerifiedControl; evaluatedControl: ControlWithRows } {
  const { manifest } = state;
  const entries = requireStep(state.entries);
  const path = `controls/${id}.json`;
  const controlContent = parseCanonicalJson(textOf(fileOf(state, path)), path);
  const { settings = [], completeness = [], run: leaf } = isRecord(controlContent) ? controlContent : {};
  if (!isList(settings) || !isList(completeness) || typeof leaf !== 'number')
    throw new Error(`${path} lacks its evaluation parameters`);
  const evidence = `evidence/${id}.jsonl`;
  const given = [
    ...parseCanonicalLines(evidence, fileOf(state, evidence), ['row', 'setting', 'verdict', 'reasons']),
    ...parseCanonicalLines(excludedPath(id), fileOf(state, excludedPath(id)), [
      ...['row', 'setting', 'parameters', 'isExcludedByDefault'],
    ]),
  ].map(({ row }) => row as unknown as PopulationRow);
  const versions = settings as unknown as SettingVersion<unknown>[];
  const { run, rows, excluded } = evaluateRows(id, given, versions, completeness as unknown as Completeness[]);
  if (
    textOf(fileOf(state, evidence)) !== joinLines(rows.map(evidenceLine)) ||
    textOf(fileOf(state, excludedPath(id))) !== joinLines(excluded.map(excludedLine))
  ) {
    throw new Error(`${id}: its items have a different result when evaluated again`);
  }
  const evaluated = { epoch: manifest.ledger.epoch, ...manifest.evaluated };
  const weakenings = weakeningsIn(entries.values(), manifest.evaluated.size, manifest.period, id);
  const facts = runFactsOf(
    manifest,
    evaluated,
    { control: id, settings: versions, completeness: run.completeness, rows, excluded, weakenings },
    run,
  );
  const ofRun = entries.get(leaf);
  if (ofRun?.kind !== runKind || canonicalJson(ofRun.subject) !== canonicalJson(runSubject(facts))) {
    throw new Error(`${id}: the evaluation in the ledger does not match the bundle`);
  }
  const runs = refuseOlderRun(id, ofRun, entries);
  if (canonicalJson(controlFile(facts, leaf, rows, manifest.evaluated)) !== canonicalJson(controlContent)) {
    throw new Error(`${id}: its counts or sample do not match`);
  }
  const all = [...rows, ...excluded].map(({ row }) => row);
  refuseUnproved(id, all, entries, manifest.evaluated.size);
  const records = repositoriesIn(entries.values(), manifest.evaluated.size, manifest);
  verifyRecordedRows(id, { rows: all, records, manifest, evaluatedAt: ofRun.asOf });
  const commitment = verifyChangeRows(id, {
    rows: all,
    entries: entries.values(),
    parts: requireStep(state.parts),
    manifest,
    settings: versions,
  });
  const { counts, status } = run;
  return {
    control: { id, counts, status, commitment, runs },
    evaluatedControl: { id, rows, run, settings, weakenings },
  };
}

/**
 * Throws if the bundle contains an earlier run than the last one, which could hide a worse result. Returns the number
 * of runs.
 */
function refuseOlderRun(id: string, shown: LeafEntry, entries: ReadonlyMap<number, LeafEntry>): number {
  const same = [...entries.values()].filter(
    ({ kind, subject }) => kind === runKind && runKey(subject) === runKey(shown.subject),
  );
  if (same.some(({ index }) => index > shown.index))
    throw new Error(`${id}: it was evaluated again later, and the bundle does not include that evaluation`);
  return same.length;
}

function refuseUnproved(
  id: string,
  rows: readonly PopulationRow[],
  entries: ReadonlyMap<number, LeafEntry>,
  size: number,
): void {
  for (const row of rows) {
    const leaves = row.leaf === null ? row.leaves : [row.leaf, ...row.leaves];
    const missing = leaves.find((leaf) => leaf >= size || !entries.has(leaf));
    if (missing !== undefined) throw new Error(`${id}: ${row.subject} depends on entry ${missing}, which is missing`);
  }
}
