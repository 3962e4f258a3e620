import { evidenceLine, excludedLine } from '../controls/evidence-line.ts';
import { type Bytes, utf8 } from '../ledger/bytes.ts';
import { canonicalJson } from '../ledger/canonical.ts';
import {
  controlCsv,
  missingEvidenceOf,
  type RowNotes,
  repositoriesOfRows,
  unassignedFailuresOf,
} from './derived-files.ts';
import { controlFile, evaluateRows, excludedPath, runFactsOf } from './evaluated-rows.ts';
import { yieldToEventLoop } from './event-loop.ts';
import { encodeLines, textsOf } from './lines.ts';
import { packedFile } from './packed-file.ts';
import type { PackedFile, PackedRun } from './packed-run.ts';
import type { BundleContents, BundleRun } from './scope.ts';

/** Packs all files of a control, so that only the rows of one control are in memory at a time. */
export async function packRun(
  run: BundleRun,
  about: Pick<BundleContents, 'scope' | 'evaluated'> &
    RowNotes & { readonly ledger: Pick<BundleContents['ledger'], 'epoch'> },
): Promise<PackedRun> {
  const { control: id, leaf, rows, excluded, settings, completeness, weakenings } = run;
  const { scope, evaluated, ledger } = about;
  const again = evaluateRows(
    id,
    [...rows, ...excluded].map(({ row }) => row),
    settings,
    completeness,
  );
  const control = { id, rows, run: again.run, settings, weakenings };
  const facts = runFactsOf(scope, { epoch: ledger.epoch, ...evaluated }, run, again.run);
  const contents: readonly (() => readonly [path: string, content: Bytes])[] = [
    () => [`controls/${id}.json`, utf8(canonicalJson(controlFile(facts, leaf, rows, evaluated)))],
    () => {
      const [path, text] = controlCsv(control, about);
      return [path, utf8(text)];
    },
    () => [`evidence/${id}.jsonl`, encodeLines(textsOf(rows, evidenceLine))],
    () => [excludedPath(id), encodeLines(textsOf(excluded, excludedLine))],
  ];
  const files: PackedFile[] = [];
  for (const make of contents) {
    files.push(packedFile(...make()));
    await yieldToEventLoop();
  }
  const { counts, exclusions, status } = again.run;
  return {
    id,
    run: { counts, exclusions, status, completeness: again.run.completeness },
    weakenings,
    missingEvidence: missingEvidenceOf(control),
    repositories: repositoriesOfRows(control),
    unassignedFailures: unassignedFailuresOf(control, about.remediations),
    files,
  };
}
