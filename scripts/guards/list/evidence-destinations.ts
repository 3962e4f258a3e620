import { domains, type Guard, guard, test } from '../guard.ts';

const exporters = `${domains}/compliance/evidence-destinations`;
const tests = test('compliance/exporters', 'exporters');

export const exporterGuards: readonly Guard[] = [
  guard(
    'An exporter is not given an address inside',
    `${exporters}/commands.ts`,
    "  await services.outboundFor(actor.orgId, 'exporter').check('settings.url', settings.url);\n",
    '',
    tests,
  ),
  guard(
    'The secret of an exporter goes to no other address',
    `${exporters}/commands.ts`,
    'if (secret === undefined && originOf(settings) !== originOf(after)) {',
    "if (secret === '') {",
    tests,
  ),
  guard(
    'An exporter that is off is sent nothing',
    `${exporters}/commands.ts`,
    "if (state === 'off') throw Conflict('The destination",
    "if (state === undefined) throw Conflict('The destination",
    tests,
  ),
  guard(
    'What exporters ask is written down without secrets',
    `${exporters}/sink.ts`,
    "shown.replaceAll(secret, '•••')",
    'shown.replaceAll(secret, secret)',
    tests,
  ),
  guard(
    'A gap is not told as passed',
    `${exporters}/kinds/gitlab.ts`,
    'if (counts.gaps > 0) {',
    'if (counts.gaps < 0) {',
    tests,
  ),
  guard(
    'What is not met is not submitted',
    `${exporters}/kinds/vanta.ts`,
    'if (snapshot.results.length === 0 || open.length > 0) {',
    'if (snapshot.results.length === 0) {',
    tests,
  ),
  guard(
    'What arrived is not sent to Vanta twice',
    `${exporters}/kinds/vanta.ts`,
    "if (await isThere(id)) return { state: 'sent', says: 'Already at Vanta.' };",
    '',
    tests,
  ),
  guard(
    'An older snapshot sets nothing back',
    `${exporters}/deliver.ts`,
    'const newer = replaces(work.kind) ? before.get(item.key) : undefined;',
    'const newer = undefined as { isNewer: boolean; snapshot: string } | undefined;',
    tests,
  ),
  guard(
    'Of a snapshot that withholds people, findings are told by their ids',
    `${exporters}/frozen-snapshot.ts`,
    "manifest.redaction === 'none'",
    'manifest.redaction !== undefined',
    tests,
  ),
];
