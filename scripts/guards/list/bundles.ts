import { domainsPath, type Mutation, mutation } from '../guard.ts';

const steps = 'evidence/src/bundle/steps';
const attacks = 'evidence/src/bundle/attacks.test.ts';
const records = 'evidence/src/bundle/records.test.ts';
const snapshots = 'domains/compliance/snapshots/routes.test.ts';

export const bundleGuards: readonly Mutation[] = [
  mutation(
    'What policies and waivers say is what the ledger says',
    `${steps}/records.ts`,
    'if (!equalBytes(fileOf(state, path), utf8(text)))',
    'if (!equalBytes(fileOf(state, path), fileOf(state, path)))',
    `${attacks} > a policy has a weaker parameter`,
  ),
  mutation(
    'No policy from before the counted stretch is left out',
    `${steps}/records.ts`,
    'canonicalJson(held.subject) !== subject',
    "canonicalJson(held.subject) === ''",
    `${records} > evidence requested before`,
  ),
  mutation(
    'The code hosts of a bundle are those that its changes name',
    `${steps}/records.ts`,
    "throw new Error('The code hosts in the manifest do not match the changes');",
    '',
    `${attacks} > the changes of a self-managed code host are attributed to github.com`,
  ),
  mutation(
    'A digest is the one that was signed',
    'evidence/src/bundle/digests.ts',
    'if (hashOf(body) !== bodySha256)',
    "if (hashOf(body) === '')",
    `${attacks} > a digest has fewer flagged items`,
  ),
  mutation(
    'No digest is there that nobody made',
    `${steps}/records.ts`,
    'if (stray !== undefined)',
    "if (stray === '')",
    `${attacks} > a digest is forged`,
  ),
  mutation(
    'A report is there exactly where the manifest says so',
    `${steps}/files.ts`,
    "manifest.report === 'pdf' ? ['report.pdf'] : []",
    "manifest.report === 'none' ? [] : []",
    `${attacks} > a missing report is claimed`,
  ),
  mutation(
    'A snapshot stands in for none that is not ready',
    `${domainsPath}/compliance/snapshots/commands.ts`,
    "(await findSnapshotRow(tx, orgId, supersedes)).state !== 'ready'",
    "(await findSnapshotRow(tx, orgId, supersedes)).state === 'failed'",
    `${snapshots} > request that cannot be evaluated`,
  ),
  mutation(
    'A manifest names the accounts that the changes disclose',
    'evidence/src/bundle/steps/records.ts',
    "throw new Error('The accounts in the manifest do not match the disclosures of the changes');",
    '',
    'evidence/src/bundle/attacks.test.ts',
  ),
];
