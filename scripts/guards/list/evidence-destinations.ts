import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const destinations = `${domainsPath}/compliance/evidence-destinations`;
const tests = domainTest('compliance/evidence-destinations', 'evidence-destinations');

export const evidenceDestinationGuards: readonly Mutation[] = [
  mutation(
    'An destination is not given an address inside',
    `${destinations}/commands.ts`,
    "  await services.outboundFor(actor.orgId, 'evidence_destination').check('settings.url', settings.url);\n",
    '',
    tests,
  ),
  mutation(
    'The secret of a destination goes to no other address',
    `${destinations}/commands.ts`,
    'if (secret === undefined && originOf(settings) !== originOf(after)) {',
    "if (secret === '') {",
    tests,
  ),
  mutation(
    'An destination that is off is sent nothing',
    `${destinations}/commands.ts`,
    "if (state === 'off') throw Conflict('The destination",
    "if (state === undefined) throw Conflict('The destination",
    tests,
  ),
  mutation(
    'What destinations ask is written down without secrets',
    `${destinations}/receiver-client.ts`,
    "shown.replaceAll(secret, '•••')",
    'shown.replaceAll(secret, secret)',
    tests,
  ),
  mutation(
    'A gap is not told as passed',
    `${destinations}/kinds/gitlab.ts`,
    'if (missing > 0) {',
    'if (missing < 0) {',
    tests,
  ),
  mutation(
    'What is not met is not submitted',
    `${destinations}/kinds/vanta.ts`,
    'if (snapshot.results.length === 0 || open.length > 0) {',
    'if (snapshot.results.length === 0) {',
    tests,
  ),
  mutation(
    'What arrived is not sent to Vanta twice',
    `${destinations}/kinds/vanta.ts`,
    "if (await isThere(id)) return { state: 'sent', message: 'Already at Vanta.' };",
    '',
    tests,
  ),
  mutation(
    'An older snapshot sets nothing back',
    `${destinations}/deliver.ts`,
    'const newer = replaces(work.kind) ? before.get(item.key) : undefined;',
    'const newer = undefined as { isNewer: boolean; snapshot: string } | undefined;',
    tests,
  ),
  mutation(
    'Of a snapshot that withholds people, findings are told by their ids',
    `${destinations}/snapshot-content.ts`,
    "manifest.redaction === 'none'",
    'manifest.redaction !== undefined',
    tests,
  ),
];
