import { domains, type Guard, guard, test } from '../guard.ts';

const streams = `${domains}/organization/audit-streams`;
const deliveryTests = test('organization/audit-streams', 'delivery');
const routeTests = test('organization/audit-streams');

export const auditStreamGuards: readonly Guard[] = [
  guard(
    'One worker delivers to a destination at a time',
    `${streams}/delivery.ts`,
    'return row?.mine ? deliverBatches(services, ref) : LOCKED_RETRY_MS;',
    'return row === undefined ? LOCKED_RETRY_MS : deliverBatches(services, ref);',
    deliveryTests,
  ),
  guard(
    'The cursor of a destination stays while a batch was not accepted',
    `${streams}/delivery.ts`,
    '  if (failure === null) {\n    await update',
    '  if (failure !== undefined) {\n    await update',
    deliveryTests,
  ),
  guard(
    'A destination that failed is left alone until its next attempt',
    `${streams}/delivery.ts`,
    ' and s.enabled and s.next_at <= now() and o.archived_at is null',
    ' and s.enabled and o.archived_at is null',
    deliveryTests,
  ),
  guard(
    'A paused destination receives nothing',
    `${streams}/delivery.ts`,
    ' and s.enabled and s.next_at <= now() and o.archived_at is null',
    ' and s.next_at <= now() and o.archived_at is null',
    deliveryTests,
  ),
  guard(
    'The audit log of an archived organization is not streamed',
    `${streams}/delivery.ts`,
    ' and s.enabled and s.next_at <= now() and o.archived_at is null',
    ' and s.enabled and s.next_at <= now()',
    deliveryTests,
  ),
  guard(
    'A syslog batch counts once the receiver closed its side, not once it was written',
    'server/src/providers/tls.ts',
    '      socket.end(bytes);',
    '      socket.end(bytes, () => resolve());',
    deliveryTests,
  ),
  guard(
    'A syslog connection goes to an address that was checked',
    'server/src/providers/tls.ts',
    "    if (error instanceof Refusal) throw new TlsFailed('address_refused', error);\n",
    '    if (error instanceof Refusal) return host;\n',
    deliveryTests,
  ),
  guard(
    'The certificate of a syslog receiver is checked',
    'server/src/providers/tls.ts',
    "    minVersion: 'TLSv1.2',\n",
    "    minVersion: 'TLSv1.2',\n    rejectUnauthorized: false,\n",
    deliveryTests,
  ),
  guard(
    'Only an owner tests a destination',
    `${streams}/commands.ts`,
    '    await requireOwner(tx, actor);\n    const { kind, settings } = await findStream(tx, orgId, id);\n    const entryId',
    '    const { kind, settings } = await findStream(tx, orgId, id);\n    const entryId',
    routeTests,
  ),
  guard(
    'A destination is not given an address inside',
    `${streams}/commands.ts`,
    "  await checkSettings(services.outboundFor(actor.orgId, 'audit-stream'), kind, settings);\n",
    '',
    routeTests,
  ),
  guard(
    'A destination is not led inside later',
    `${streams}/commands.ts`,
    "    await checkSettings(services.outboundFor(actor.orgId, 'audit-stream'), was.kind, changes.settings);\n",
    '',
    routeTests,
  ),
  guard(
    'A secret access key stays with the host it was given for',
    `${streams}/commands.ts`,
    "if (kind === 's3' && changes.secret === undefined && before.host !== after.host)",
    "if (kind === 's3' && changes.secret === undefined && before.host === undefined)",
    routeTests,
  ),
  guard(
    'There are ten destinations at most',
    `${domains}/delivery/destinations/commands.ts`,
    'if (Number(count) >= max)',
    'if (Number(count) >= 1e9)',
    routeTests,
  ),
];
