import { domainsPath, type Mutation, mutation } from '../guard.ts';

const steps = 'evidence/src/bundle/steps';
const attacks = 'evidence/src/bundle/attacks.test.ts';
const records = 'evidence/src/bundle/records.test.ts';
const snapshots = 'domains/compliance/snapshots/routes.test.ts';

export const bundleGuards: readonly Mutation[] = [
  mutation(
    'rejects policies and waivers that do not match the ledger',
    `${steps}/records.ts`,
    'if (!equalBytes(fileOf(state, path), utf8(text)))',
    'if (!equalBytes(fileOf(state, path), fileOf(state, path)))',
    `${attacks} > a policy has a weaker parameter`,
  ),
  mutation(
    'requires policies from before the period',
    `${steps}/records.ts`,
    'canonicalJson(sealed) !== canonicalJson(expected)',
    "canonicalJson(sealed) === ''",
    `${records} > evidence requested before`,
  ),
  mutation(
    'rejects code hosts that do not match the changes',
    `${steps}/records.ts`,
    "throw new Error('The code hosts in the manifest do not match the changes');",
    '',
    `${attacks} > the changes of a self-managed code host are attributed to github.com`,
  ),
  mutation(
    'rejects a digest that is not the signed one',
    'evidence/src/bundle/digests.ts',
    'if (hashOf(body) !== bodySha256)',
    "if (hashOf(body) === '')",
    `${attacks} > a digest has fewer flagged items`,
  ),
  mutation(
    'rejects forged digests',
    `${steps}/records.ts`,
    'if (stray !== undefined)',
    "if (stray === '')",
    `${attacks} > a digest is forged`,
  ),
  mutation(
    'requires the report that the manifest claims',
    `${steps}/files.ts`,
    "manifest.report === 'pdf' ? ['report.pdf'] : []",
    "manifest.report === 'none' ? [] : []",
    `${attacks} > accepts the unmodified bundle`,
  ),
  mutation(
    'rejects superseding a snapshot that is not ready',
    `${domainsPath}/compliance/snapshots/commands.ts`,
    "(await findSnapshotRow(tx, orgId, supersedes)).state !== 'ready'",
    "(await findSnapshotRow(tx, orgId, supersedes)).state === 'failed'",
    `${snapshots} > request that cannot be evaluated`,
  ),
  mutation(
    'rejects accounts that do not match the disclosures',
    'evidence/src/bundle/steps/records.ts',
    "throw new Error('The accounts in the manifest do not match the disclosures of the changes');",
    '',
    'evidence/src/bundle/attacks.test.ts',
  ),
  mutation(
    'rejects a report that the snapshot did not commit to',
    `${steps}/records.ts`,
    'reportSha256: isNamed ? (report ? toHex(sha256(report)) : null) : reportSha256,',
    'reportSha256,',
    `${attacks} > the PDF is replaced`,
  ),
  mutation(
    'rejects a bundle that withholds the name of a repository',
    'evidence/src/bundle/names.ts',
    'if (first !== undefined)',
    'if (first === undefined && size < 0)',
    `${attacks} > the name of a repository is not disclosed`,
  ),
  mutation(
    'rejects a name of a repository that its entry is not about',
    'evidence/src/bundle/names.ts',
    'if (!missing.delete(placeOf(index, id)))',
    'if (!missing.delete(placeOf(index, id)) && size < 0)',
    `${attacks} > the operator records the name of another repository with a repository`,
  ),
  mutation(
    'rejects the disclosure key of another bundle',
    `${steps}/entries.ts`,
    'snapshot !== sealIn([...entries.values()], manifest)?.id',
    "snapshot === ''",
    'evidence/src/bundle/attacks.test.ts > rejects a disclosure key that names another bundle',
  ),
  mutation(
    'rejects a part of the disclosures of a person',
    `${steps}/entries.ts`,
    'if (partial)',
    'if (partial && partial.index < 0)',
    `${attacks} > a title is not disclosed`,
  ),
  mutation(
    'rejects a second signature of a bundle',
    `${steps}/archive.ts`,
    'signerNamesIn(note).length > 1',
    'signerNamesIn(note).length > 100',
    `${attacks} > a signature of an unknown key follows its signature`,
  ),
  mutation(
    'rejects a timestamp of something else',
    `${steps}/checkpoint.ts`,
    'if (!isTimestampOf(stamp, text))',
    'if (stamp.length === 0)',
    `${attacks} > the timestamp is one of another checkpoint`,
  ),
  mutation(
    'rejects a repeated proof of an earlier tree',
    `${steps}/checkpoint.ts`,
    'if (from.size <= last) throw',
    'if (from.size < last) throw',
    `${attacks} > the proof of an earlier tree is repeated`,
  ),
  mutation(
    'names the commits that a bundle lacks beside a clone',
    'evidence/src/reconciliation/compare.ts',
    'at >= from && at < until && !inBundle.has(sha)),',
    'at >= from && at < until && !all.has(sha)),',
    'cli/reconcile.test.ts',
  ),
  mutation(
    'names the merges that a bundle lacks beside a code host',
    'evidence/src/reconciliation/compare.ts',
    'const candidates = host.merges.filter(({ number }) => !inBundle.has(number));',
    'const candidates = host.merges.filter(({ number }) => !onHost.has(number));',
    'cli/reconcile-host.test.ts',
  ),
  mutation(
    'compares a bundle only with the repository that its changes come from',
    'evidence/src/reconciliation/compare.ts',
    'if (origin.host === host.name && origin.repository === host.id) continue;',
    "if (origin.host !== '') continue;",
    'cli/reconcile-host.test.ts',
  ),
  mutation(
    'sends the token of an auditor over https only',
    'evidence/src/reconciliation/host-address.ts',
    "!(protocol === 'http:' && loopbacks.includes(hostname))",
    "protocol !== 'http:'",
    'cli/reconcile-host.test.ts',
  ),
];
