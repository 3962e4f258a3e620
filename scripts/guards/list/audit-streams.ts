import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const streams = `${domainsPath}/organization/audit-streams`;
const deliveryTests = domainTest('organization/audit-streams', 'delivery');
const routeTests = domainTest('organization/audit-streams');

export const auditStreamGuards: readonly Mutation[] = [
  mutation(
    'delivers to a destination in one worker at a time',
    `${streams}/delivery.ts`,
    'return row?.mine ? deliverBatches(services, ref) : LOCKED_RETRY_MS;',
    'return row === undefined ? LOCKED_RETRY_MS : deliverBatches(services, ref);',
    deliveryTests,
  ),
  mutation(
    'keeps the cursor of a destination when a batch fails',
    `${streams}/delivery.ts`,
    '  if (failure === null) {\n    await update',
    '  if (failure !== undefined) {\n    await update',
    deliveryTests,
  ),
  mutation(
    'waits for the next attempt after a failure',
    `${streams}/delivery.ts`,
    ' and s.enabled and s.next_at <= now() and o.archived_at is null',
    ' and s.enabled and o.archived_at is null',
    deliveryTests,
  ),
  mutation(
    'sends nothing to a paused destination',
    `${streams}/delivery.ts`,
    ' and s.enabled and s.next_at <= now() and o.archived_at is null',
    ' and s.next_at <= now() and o.archived_at is null',
    deliveryTests,
  ),
  mutation(
    'stops streaming the audit log of an archived organization',
    `${streams}/delivery.ts`,
    ' and s.enabled and s.next_at <= now() and o.archived_at is null',
    ' and s.enabled and s.next_at <= now()',
    deliveryTests,
  ),
  mutation(
    'confirms a syslog batch only when the receiver closes the connection',
    'server/src/providers/tls.ts',
    '      socket.end(bytes);',
    '      socket.end(bytes, () => resolve());',
    deliveryTests,
  ),
  mutation(
    'connects to a syslog receiver only at verified addresses',
    'server/src/providers/tls.ts',
    "    if (error instanceof Refusal) throw new TlsFailed('address_refused', error);\n",
    '    if (error instanceof Refusal) return host;\n',
    deliveryTests,
  ),
  mutation(
    'verifies the certificate of a syslog receiver',
    'server/src/providers/tls.ts',
    "    minVersion: 'TLSv1.2',\n",
    "    minVersion: 'TLSv1.2',\n    rejectUnauthorized: false,\n",
    deliveryTests,
  ),
  mutation(
    'lets only owners test a destination',
    `${streams}/commands.ts`,
    '    await requireOwner(tx, actor);\n    const { kind, settings } = await findStream(tx, orgId, id);\n    const entryId',
    '    const { kind, settings } = await findStream(tx, orgId, id);\n    const entryId',
    routeTests,
  ),
  mutation(
    'rejects a new destination with a private address',
    `${streams}/commands.ts`,
    "  await checkSettings(services.outboundFor(actor.orgId, 'audit-stream'), kind, settings);\n",
    '',
    routeTests,
  ),
  mutation(
    'rejects a private address in changed settings',
    `${streams}/commands.ts`,
    "    await checkSettings(services.outboundFor(actor.orgId, 'audit-stream'), was.kind, changes.settings);\n",
    '',
    routeTests,
  ),
  mutation(
    'requires a new secret access key when the host changes',
    `${streams}/commands.ts`,
    "if (kind === 's3' && changes.secret === undefined && before.host !== after.host)",
    "if (kind === 's3' && changes.secret === undefined && before.host === undefined)",
    routeTests,
  ),
  mutation(
    'limits an organization to ten destinations',
    `${domainsPath}/delivery/destinations/commands.ts`,
    'if (Number(count) >= max)',
    'if (Number(count) >= 1e9)',
    routeTests,
  ),
];
