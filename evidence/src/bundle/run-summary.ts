import { evidenceLine } from '../controls/evidence-line.ts';
import { utf8 } from '../ledger/bytes.ts';
import { canonical } from '../ledger/canonical.ts';
import { missingEvidenceOf, tableOf } from './derived.ts';
import { controlFile, evaluateRows, factsOf } from './evaluated-rows.ts';
import { others } from './event-loop.ts';
import { textOfLines } from './lines.ts';
import { packedFile } from './packed-file.ts';
import type { PackedFile, PackedRun } from './packed-run.ts';
import { reportOfControl } from './report-control.ts';
import type { BundleRun, Contents } from './scope.ts';

/** Packs all files of a control, so that only the rows of one control are in memory at a time. */
export async function tellRun(
  run: BundleRun,
  about: Pick<Contents, 'scope' | 'evaluated'> & { readonly ledger: Pick<Contents['ledger'], 'epoch'> },
): Promise<PackedRun> {
  const { control: id, leaf, rows, settings, completeness } = run;
  const { scope, evaluated, ledger } = about;
  const again = evaluateRows(
    id,
    rows.map(({ row }) => row),
    settings,
    completeness,
  );
  const control = { id, rows, run: again.run, settings };
  const facts = factsOf(scope, { epoch: ledger.epoch, ...evaluated }, run, again.run);
  const texts: readonly (() => readonly [path: string, text: string])[] = [
    () => [`controls/${id}.json`, canonical(controlFile(facts, leaf, rows, evaluated))],
    () => tableOf(control),
    () => [`evidence/${id}.jsonl`, textOfLines(rows.map(evidenceLine))],
  ];
  const files: PackedFile[] = [];
  for (const make of texts) {
    const [path, text] = make();
    files.push(packedFile(path, utf8(text)));
    await others();
  }
  const { counts, status } = again.run;
  return {
    id,
    run: { counts, status, completeness: again.run.completeness },
    missingEvidence: missingEvidenceOf(control),
    files,
    report: reportOfControl(control, about),
  };
}
