import { domains, type Guard, guard, test } from '../guard.ts';

const destinations = `${domains}/compliance/evidence-destinations`;
const tests = test('compliance/evidence-destinations', 'evidence-destinations');

export const evidenceDestinationGuards: readonly Guard[] = [
  guard(
    'An destination is not given an address inside',
    `${destinations}/commands.ts`,
    "  await services.outboundFor(actor.orgId, 'evidence_destination').check('settings.url', settings.url);\n",
    '',
    tests,
  ),
  guard(
    'The secret of a destination goes to no other address',
    `${destinations}/commands.ts`,
    'if (secret === undefined && originOf(settings) !== originOf(after)) {',
    "if (secret === '') {",
    tests,
  ),
  guard(
    'An destination that is off is sent nothing',
    `${destinations}/commands.ts`,
    "if (state === 'off') throw Conflict('The destination",
    "if (state === undefined) throw Conflict('The destination",
    tests,
  ),
  guard(
    'What destinations ask is written down without secrets',
    `${destinations}/receiver-client.ts`,
    "shown.replaceAll(secret, '•••')",
    'shown.replaceAll(secret, secret)',
    tests,
  ),
  guard(
    'A gap is not told as passed',
    `${destinations}/kinds/gitlab.ts`,
    'if (missing > 0) {',
    'if (missing < 0) {',
    tests,
  ),
  guard(
    'What is not met is not submitted',
    `${destinations}/kinds/vanta.ts`,
    'if (snapshot.results.length === 0 || open.length > 0) {',
    'if (snapshot.results.length === 0) {',
    tests,
  ),
  guard(
    'What arrived is not sent to Vanta twice',
    `${destinations}/kinds/vanta.ts`,
    "if (await isThere(id)) return { state: 'sent', message: 'Already at Vanta.' };",
    '',
    tests,
  ),
  guard(
    'An older snapshot sets nothing back',
    `${destinations}/deliver.ts`,
    'const newer = replaces(work.kind) ? before.get(item.key) : undefined;',
    'const newer = undefined as { isNewer: boolean; snapshot: string } | undefined;',
    tests,
  ),
  guard(
    'Of a snapshot that withholds people, findings are told by their ids',
    `${destinations}/frozen-snapshot.ts`,
    "manifest.redaction === 'none'",
    'manifest.redaction !== undefined',
    tests,
  ),
];
