import { byCodeUnits } from '../../controls/order.ts';
import { type CanonicalValue, canonicalJson } from '../../ledger/canonical.ts';
import { derivedPaths } from '../derived-files.ts';
import { isDigestPath } from '../digests.ts';
import { disclosedPath } from '../disclosed.ts';
import { excludedPath } from '../evaluated-rows.ts';
import { partsPath } from '../files.ts';
import { listFile, manifestPath, signaturePath } from '../manifest.ts';
import { oscalPath } from '../oscal.ts';
import { planPath } from '../oscal-plan.ts';
import { catalogPath } from '../oscal-terms.ts';
import { poamPath } from '../poam.ts';
import { recordsPaths } from '../records.ts';
import type { VerificationState } from '../verification-state.ts';

// Step 8 verifies whether the plan of action has to exist.
const optional = ['ledger/checkpoint.tsr', poamPath];

/** Step 2: verifies the files. */
export function checkFiles({ files, manifest }: VerificationState): string {
  const { controls, redaction } = manifest;
  const present = [...files.keys()].filter((path) => path !== manifestPath && path !== signaturePath).sort(byCodeUnits);
  const saidOf = manifest.files.map(({ path }) => path);
  const extra = present.find((path) => !saidOf.includes(path));
  if (extra !== undefined) throw new Error(`${extra} is not listed in the manifest`);
  for (const [index, said] of manifest.files.entries()) {
    const content = files.get(said.path);
    if (!content || present[index] !== said.path) throw new Error(`${said.path} is listed but missing or out of order`);
    if (
      canonicalJson(listFile(said.path, content) as unknown as CanonicalValue) !==
      canonicalJson(said as unknown as CanonicalValue)
    ) {
      throw new Error(`${said.path} does not match the manifest`);
    }
  }
  const required = [
    'README.txt',
    partsPath,
    ...derivedPaths(controls),
    ...controls.flatMap((id) => [`controls/${id}.json`, `evidence/${id}.jsonl`, excludedPath(id)]),
    recordsPaths.repositories,
    recordsPaths.waivers,
    recordsPaths.policies,
    recordsPaths.remediations,
    'keys/vkey.txt',
    'ledger/anchors.json',
    'ledger/checkpoint',
    'ledger/consistency.jsonl',
    disclosedPath,
    'ledger/entries.jsonl',
    oscalPath,
    planPath,
    catalogPath,
    ...(manifest.report === 'pdf' ? ['report.pdf'] : []),
    ...(redaction === 'all' ? [] : ['ledger/disclosures.jsonl']),
  ];
  if (redaction === 'all' && manifest.report === 'pdf')
    throw new Error('The report of a bundle without names names them');
  const missing = required.find((path) => !files.has(path));
  if (missing !== undefined) throw new Error(`${missing} is missing`);
  const stray = present.find((path) => !required.includes(path) && !optional.includes(path) && !isDigestPath(path));
  if (stray !== undefined)
    throw new Error(
      `${stray} is not a file of a bundle${redaction === 'none' ? '' : ` with the redaction ${redaction}`}`,
    );
  return `${present.length} files.`;
}
