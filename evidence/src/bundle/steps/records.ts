import { equalBytes, textOf, toHex, utf8 } from '../../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson, isRecord } from '../../ledger/canonical.ts';
import { sha256 } from '../../ledger/sha256.ts';
import { accountsIn } from '../accounts.ts';
import { codeHostsOf } from '../code-hosts.ts';
import { digestFile, digestPath, digestsIn, isDigestPath } from '../digests.ts';
import { disclosedPath } from '../disclosed.ts';
import { parseCanonicalJson } from '../lines.ts';
import { type Records, recordsIn, recordsPaths, recordsSubject, sealIn } from '../records.ts';
import { checkRemediations } from '../remediation-check.ts';
import { remediationStoriesIn } from '../remediations.ts';
import { repositoriesIn, unrecordedRepositories } from '../repositories.ts';
import { fileOf, requireStep, type VerificationState } from '../verification-state.ts';

/**
 * Part of step 8: derives repositories, policies, waivers, remediations and digests again from the entries. Returns the number of
 * digests.
 */
export function checkRecords(state: VerificationState): number {
  const { manifest } = state;
  const entries = [...requireStep(state.entries).values()];
  if (
    canonicalJson(codeHostsOf(entries, manifest.evaluated.size, manifest) as unknown as CanonicalValue) !==
    canonicalJson(manifest.codeHosts as unknown as CanonicalValue)
  ) {
    throw new Error('The code hosts in the manifest do not match the changes');
  }
  if (
    canonicalJson(
      accountsIn(entries, requireStep(state.disclosed), manifest.evaluated.size, manifest) as unknown as CanonicalValue,
    ) !== canonicalJson(manifest.people as unknown as CanonicalValue)
  ) {
    throw new Error('The accounts in the manifest do not match the disclosures of the changes');
  }
  const records = recordsIn(entries, manifest.evaluated.size, manifest);
  for (const [path, text] of [
    [recordsPaths.repositories, records.repositories],
    [recordsPaths.policies, records.policies],
    [recordsPaths.waivers, records.waivers],
    [recordsPaths.remediations, records.remediations],
  ] as const) {
    if (!equalBytes(fileOf(state, path), utf8(text))) throw new Error(`${path} does not match the ledger`);
  }
  const stories = remediationStoriesIn(entries, manifest.evaluated.size, manifest);
  checkRemediations(stories, entries, manifest.ledger.epoch);
  const retests = stories.flatMap(({ record }) => record.retests);
  state.recordedRetests = retests.filter(({ evaluation }) => evaluation === null).length;
  checkSealed(state, records);
  state.unrecorded = unrecordedRepositories(
    repositoriesIn(entries, manifest.evaluated.size, manifest),
    manifest.period,
  );
  return checkDigests(state);
}

/** Verifies everything that the snapshot committed to besides its evaluations: nothing was changed after it. */
function checkSealed(state: VerificationState, records: Records): void {
  const { manifest, files } = state;
  const sealed = sealIn([...requireStep(state.entries).values()], manifest)?.subject;
  if (!sealed) throw new Error('The ledger entry of the snapshot is missing');
  const report = files.get('report.pdf');
  const { reportSha256 = null } = sealed;
  const isNamed = manifest.redaction !== 'all';
  if (reportSha256 !== null && typeof reportSha256 !== 'string') throw new Error('The hash of the report is invalid');
  const expected = recordsSubject(records, {
    scope: manifest,
    evaluated: { epoch: manifest.ledger.epoch, ...manifest.evaluated },
    anchors: requireStep(state.anchors),
    disclosed: requireStep(state.snapshotDisclosures),
    // A bundle without names has no report, because the report names repositories.
    reportSha256: isNamed ? (report ? toHex(sha256(report)) : null) : reportSha256,
  });
  if (canonicalJson(sealed) !== canonicalJson(expected)) {
    const name = Object.keys(sealedNames).find((field) => sealed[field] !== expected[field]) ?? '';
    throw new Error(`${sealedNames[name] ?? 'The evaluated tree'} does not match the ledger entry of the snapshot`);
  }
}

const sealedNames: Readonly<Record<string, string>> = {
  scopeSha256: 'The name, organization, superseded bundle or list of controls',
  repositoriesSha256: recordsPaths.repositories,
  policiesSha256: recordsPaths.policies,
  waiversSha256: recordsPaths.waivers,
  remediationsSha256: recordsPaths.remediations,
  anchorsSha256: 'ledger/anchors.json',
  disclosedSha256: disclosedPath,
  reportSha256: 'report.pdf',
};

function checkDigests(state: VerificationState): number {
  const { manifest, files } = state;
  const countedRange = { from: manifest.population.from, size: manifest.evaluated.size };
  const digests = digestsIn(requireStep(state.entries).values(), countedRange, manifest);
  const digestPaths = new Set(digests.map(({ id }) => digestPath(id)));
  const stray = [...files.keys()].find((path) => isDigestPath(path) && !digestPaths.has(path));
  if (stray !== undefined) throw new Error(`${stray} belongs to no digest of the period`);
  for (const digest of digests) {
    const path = digestPath(digest.id);
    const text = textOf(fileOf(state, path));
    const content = parseCanonicalJson(text, path);
    if (digestFile(digest, (isRecord(content) ? content.body : undefined) ?? null) !== text) {
      throw new Error(`${path} does not match the ledger`);
    }
  }
  return digests.length;
}
