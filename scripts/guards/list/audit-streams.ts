import { domainsPath, domainTest, type Mutation, mutation } from '../guard.ts';

const streams = `${domainsPath}/organization/audit-streams`;
const deliveryTests = domainTest('organization/audit-streams', 'delivery');
const routeTests = domainTest('organization/audit-streams');

export const auditStreamGuards: readonly Mutation[] = [
  mutation(
    'One worker delivers to a destination at a time',
    `${streams}/delivery.ts`,
    'return row?.mine ? deliverBatches(services, ref) : LOCKED_RETRY_MS;',
    'return row === undefined ? LOCKED_RETRY_MS : deliverBatches(services, ref);',
    deliveryTests,
  ),
  mutation(
    'The cursor of a destination stays while a batch was not accepted',
    `${streams}/delivery.ts`,
    '  if (failure === null) {\n    await update',
    '  if (failure !== undefined) {\n    await update',
    deliveryTests,
  ),
  mutation(
    'A destination that failed is left alone until its next attempt',
    `${streams}/delivery.ts`,
    ' and s.enabled and s.next_at <= now() and o.archived_at is null',
    ' and s.enabled and o.archived_at is null',
    deliveryTests,
  ),
  mutation(
    'A paused destination receives nothing',
    `${streams}/delivery.ts`,
    ' and s.enabled and s.next_at <= now() and o.archived_at is null',
    ' and s.next_at <= now() and o.archived_at is null',
    deliveryTests,
  ),
  mutation(
    'The audit log of an archived organization is not streamed',
    `${streams}/delivery.ts`,
    ' and s.enabled and s.next_at <= now() and o.archived_at is null',
    ' and s.enabled and s.next_at <= now()',
    deliveryTests,
  ),
  mutation(
    'A syslog batch counts once the receiver closed its side, not once it was written',
    'server/src/providers/tls.ts',
    '      socket.end(bytes);',
    '      socket.end(bytes, () => resolve());',
    deliveryTests,
  ),
  mutation(
    'A syslog connection goes to an address that was checked',
    'server/src/providers/tls.ts',
    "    if (error instanceof Refusal) throw new TlsFailed('address_refused', error);\n",
    '    if (error instanceof Refusal) return host;\n',
    deliveryTests,
  ),
  mutation(
    'The certificate of a syslog receiver is checked',
    'server/src/providers/tls.ts',
    "    minVersion: 'TLSv1.2',\n",
    "    minVersion: 'TLSv1.2',\n    rejectUnauthorized: false,\n",
    deliveryTests,
  ),
  mutation(
    'Only an owner tests a destination',
    `${streams}/commands.ts`,
    '    await requireOwner(tx, actor);\n    const { kind, settings } = await findStream(tx, orgId, id);\n    const entryId',
    '    const { kind, settings } = await findStream(tx, orgId, id);\n    const entryId',
    routeTests,
  ),
  mutation(
    'A destination is not given an address inside',
    `${streams}/commands.ts`,
    "  await checkSettings(services.outboundFor(actor.orgId, 'audit-stream'), kind, settings);\n",
    '',
    routeTests,
  ),
  mutation(
    'A destination is not led inside later',
    `${streams}/commands.ts`,
    "    await checkSettings(services.outboundFor(actor.orgId, 'audit-stream'), was.kind, changes.settings);\n",
    '',
    routeTests,
  ),
  mutation(
    'A secret access key stays with the host it was given for',
    `${streams}/commands.ts`,
    "if (kind === 's3' && changes.secret === undefined && before.host !== after.host)",
    "if (kind === 's3' && changes.secret === undefined && before.host === undefined)",
    routeTests,
  ),
  mutation(
    'There are ten destinations at most',
    `${domainsPath}/delivery/destinations/commands.ts`,
    'if (Number(count) >= max)',
    'if (Number(count) >= 1e9)',
    routeTests,
  ),
];
