import { equalBytes, textOf, utf8 } from '../../ledger/bytes.ts';
import { type CanonicalValue, canonicalJson, isRecord } from '../../ledger/canonical.ts';
import { accountsIn } from '../accounts.ts';
import { codeHostsOf } from '../code-hosts.ts';
import { digestFile, digestPath, digestsIn, isDigestPath } from '../digests.ts';
import { parseCanonicalJson } from '../lines.ts';
import { recordsIn, recordsKey, recordsKind, recordsPaths, recordsSubject } from '../records.ts';
import { repositoriesIn, unrecordedRepositories } from '../repositories.ts';
import { fileOf, requireStep, type VerificationState } from '../verification-state.ts';

/**
 * Part of step 8: derives repositories, policies, waivers and digests again from the entries. Returns the number of
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
  ] as const) {
    if (!equalBytes(fileOf(state, path), utf8(text))) throw new Error(`${path} does not match the ledger`);
  }
  const evaluated = { epoch: manifest.ledger.epoch, ...manifest.evaluated };
  const subject = canonicalJson(recordsSubject(records, manifest, evaluated));
  const recordEntries = entries.filter(
    ({ kind, subject: of }) => kind === recordsKind && recordsKey(of) === recordsKey(manifestOf(state)),
  );
  const held = recordEntries.findLast(() => true);
  if (!held || canonicalJson(held.subject) !== subject) {
    throw new Error('The repositories, policies and waivers of the bundle do not match the ledger');
  }
  state.unrecorded = unrecordedRepositories(
    repositoriesIn(entries, manifest.evaluated.size, manifest),
    manifest.period,
  );
  return checkDigests(state);
}

const manifestOf = ({ manifest: { period, repositories } }: VerificationState) => ({
  period: { ...period },
  repositories,
});

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
