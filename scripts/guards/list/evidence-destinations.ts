import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const destinations = `${domainsPath}/compliance/evidence-destinations`;
const tests = domainTest('compliance/evidence-destinations', 'evidence-destinations');

export const evidenceDestinationGuards: readonly Mutation[] = [
  mutation(
    'rejects a new evidence destination with a private address',
    `${destinations}/commands.ts`,
    "  await services.outboundFor(actor.orgId, 'evidence_destination').check('settings.url', settings.url);\n",
    '',
    tests,
  ),
  mutation(
    'requires a new secret when the origin changes',
    `${destinations}/commands.ts`,
    'if (secret === undefined && originOf(settings) !== originOf(after)) {',
    "if (secret === '') {",
    tests,
  ),
  mutation(
    'rejects sending to a disabled evidence destination',
    `${destinations}/commands.ts`,
    "if (state === 'off') throw Conflict('The destination",
    "if (state === undefined) throw Conflict('The destination",
    tests,
  ),
  mutation(
    'redacts secrets in recorded requests',
    `${destinations}/receiver-client.ts`,
    "shown.replaceAll(secret, '•••')",
    'shown.replaceAll(secret, secret)',
    tests,
  ),
  mutation(
    'does not report missing evidence as passed',
    `${destinations}/kinds/gitlab.ts`,
    'if (missing > 0) {',
    'if (missing < 0) {',
    tests,
  ),
  mutation(
    'does not submit failing controls',
    `${destinations}/kinds/vanta.ts`,
    'if (snapshot.results.length === 0 || open.length > 0) {',
    'if (snapshot.results.length === 0) {',
    tests,
  ),
  mutation(
    'submits a snapshot to Vanta once',
    `${destinations}/kinds/vanta.ts`,
    "if (await isThere(id)) return { state: 'sent', message: 'Already at Vanta.' };",
    '',
    tests,
  ),
  mutation(
    'does not replace results by those of an older snapshot',
    `${destinations}/deliver.ts`,
    'const newer = replaces(work.kind) ? before.get(item.key) : undefined;',
    'const newer = undefined as { isNewer: boolean; snapshot: string } | undefined;',
    tests,
  ),
  mutation(
    'identifies findings of redacted snapshots by ID',
    `${destinations}/snapshot-content.ts`,
    "manifest.redaction === 'none'",
    'manifest.redaction !== undefined',
    tests,
  ),
];
