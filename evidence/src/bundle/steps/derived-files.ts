import { equalBytes, utf8 } from '../../ledger/bytes.ts';
import { canonicalJson } from '../../ledger/canonical.ts';
import { changeLinksIn } from '../change-links.ts';
import {
  controlCsv,
  derivedFiles,
  missingEvidenceOf,
  repositoriesOfRows,
  unassignedFailuresOf,
} from '../derived-files.ts';
import { danglingReferencesIn, oscalOf, oscalPath } from '../oscal.ts';
import { oscalCatalogOf } from '../oscal-catalog.ts';
import { assessmentPlanOf, planPath } from '../oscal-plan.ts';
import { catalogPath } from '../oscal-terms.ts';
import { poamOf, poamPath } from '../poam.ts';
import { readme } from '../readme.ts';
import { remediationsIn, remediationTextsOf } from '../remediations.ts';
import { fileOf, requireStep, type VerificationState } from '../verification-state.ts';
import { checkRecords } from './records.ts';

/** Step 8: derives every derived file again from the evidence and the ledger, and compares it. */
export function checkDerived(state: VerificationState): string {
  const { manifest, files } = state;
  const entries = [...requireStep(state.entries).values()];
  const takenAt = requireStep(state.takenAt);
  const records = remediationsIn(entries, manifest.evaluated.size, manifest);
  const remediations = remediationTextsOf(records, manifest.period);
  const controls = requireStep(state.evaluatedControls).map((one) => ({
    ...one,
    missingEvidence: missingEvidenceOf(one),
    repositories: repositoriesOfRows(one),
    unassignedFailures: unassignedFailuresOf(one, remediations),
  }));
  // Step 2 compared the hashes with the files.
  const hashOf = (path: string): string => manifest.files.find((file) => file.path === path)?.sha256 ?? '';
  const catalog = oscalCatalogOf(manifest, takenAt, hashOf);
  const plan = assessmentPlanOf(manifest, takenAt, controls, hashOf);
  const oscal = oscalOf(manifest, takenAt, controls, hashOf);
  const poam = poamOf(manifest, takenAt, controls, records);
  for (const [path, document] of [
    [catalogPath, catalog] as const,
    [planPath, plan] as const,
    [oscalPath, oscal] as const,
    ...(poam === undefined ? [] : [[poamPath, poam] as const]),
  ]) {
    const [dangling] = danglingReferencesIn(document);
    if (dangling !== undefined) throw new Error(`${path} references ${dangling}, which is missing`);
  }
  if (poam === undefined && files.has(poamPath)) throw new Error(`${poamPath} is about nothing`);
  const counted = { from: manifest.population.from, size: manifest.evaluated.size };
  const names = requireStep(state.disclosedNames);
  const links = changeLinksIn(entries, counted, names.repositories);
  const made = [
    ['README.txt', readme(manifest)],
    [catalogPath, canonicalJson(catalog)],
    [planPath, canonicalJson(plan)],
    [oscalPath, canonicalJson(oscal)],
    ...(poam === undefined ? [] : [[poamPath, canonicalJson(poam)] as const]),
    ...controls.map((control) => controlCsv(control, { links, remediations })),
    ...derivedFiles(controls, records, names),
  ] as const;
  for (const [path, text] of made) {
    if (!equalBytes(fileOf(state, path), utf8(text))) throw new Error(`${path} does not match the evidence`);
  }
  const digests = checkRecords(state);
  return `${made.length + 2} files recreated, ${digests} ${digests === 1 ? 'digest' : 'digests'} compared with the ledger${files.has('report.pdf') ? '; the PDF is the one of the snapshot' : ''}.`;
}
