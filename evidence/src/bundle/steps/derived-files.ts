import { equalBytes, utf8 } from '../../ledger/bytes.ts';
import { canonicalJson } from '../../ledger/canonical.ts';
import { changeLinksIn } from '../change-links.ts';
import { controlCsv, derivedFiles, missingEvidenceOf } from '../derived-files.ts';
import { danglingReferencesIn, oscalOf, oscalPath } from '../oscal.ts';
import { readme } from '../readme.ts';
import { fileOf, requireStep, type VerificationState } from '../verification-state.ts';
import { checkRecords } from './records.ts';

/** Step 8: derives every derived file again from the evidence and the ledger, and compares it. */
export function checkDerived(state: VerificationState): string {
  const { manifest, files } = state;
  const controls = requireStep(state.evaluatedControls);
  const oscal = oscalOf(manifest, requireStep(state.takenAt), controls);
  const [dangling] = danglingReferencesIn(oscal);
  if (dangling !== undefined) throw new Error(`${oscalPath} references ${dangling}, which is missing`);
  const counted = { from: manifest.population.from, size: manifest.evaluated.size };
  const links = changeLinksIn([...requireStep(state.entries).values()], counted, manifest);
  const made = [
    ['README.txt', readme(manifest)],
    [oscalPath, canonicalJson(oscal)],
    ...controls.map((control) => controlCsv(control, links)),
    ...derivedFiles(controls.map((one) => ({ ...one, missingEvidence: missingEvidenceOf(one) }))),
  ] as const;
  for (const [path, text] of made) {
    if (!equalBytes(fileOf(state, path), utf8(text))) throw new Error(`${path} does not match the evidence`);
  }
  const digests = checkRecords(state);
  return `${made.length + 2} files recreated, ${digests} ${digests === 1 ? 'digest' : 'digests'} compared with the ledger${files.has('report.pdf') ? '; the PDF is the one of the snapshot' : ''}.`;
}
