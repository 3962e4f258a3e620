import { corePath, domainsPath, type Mutation, migrationsPath, mutation } from '../guard.ts';

const tests = 'domains/compliance/auditor-portals/auditor-portals.test.ts';
const workTests = 'domains/compliance/auditor-portals/auditor-work.test.ts';
const visitor = `${corePath}/auditor-portals.ts`;
const visits = `${domainsPath}/compliance/auditor-portals/portal-visits.ts`;
const commands = `${domainsPath}/compliance/auditor-portals/commands.ts`;
const views = `${domainsPath}/compliance/auditor-portals/views.ts`;

export const portalGuards: readonly Mutation[] = [
  mutation('closes a portal at its expiry', visitor, 'and r.expires_at > now() and', 'and', `${tests} > ends a visit`),
  mutation(
    'restricts a visit to its portal',
    visitor,
    'and v.portal_id = $3 and',
    'and $3::uuid is not null and',
    tests,
  ),
  mutation('expires visits', visitor, 'and v.expires_at > now()', '', tests),
  mutation(
    'closes the portals of an archived organization',
    visitor,
    'and r.revoked_at is null and o.archived_at is null',
    'and r.revoked_at is null',
    tests,
  ),
  mutation(
    'rejects links of a revoked portal',
    visits,
    'and p.expires_at > now() and p.revoked_at is null and o.archived_at is null',
    'and o.archived_at is null',
    tests,
  ),
  mutation(
    'restricts a portal to its snapshots',
    visits,
    'where i.org_id = $1 and i.portal_id = $2 and i.snapshot_id = $3',
    'where i.org_id = $1 and i.portal_id = $2',
    tests,
  ),
  mutation(
    'records samples in the audit log',
    views,
    "await note(services, actor, 'portal.sampled', seen);",
    '',
    tests,
  ),
  mutation(
    'serves redacted bundles in a redacted portal',
    views,
    'return openBundleFor(services, actor.orgId, snapshotId, redactionOfPortal(actor.portal));',
    "return openBundleFor(services, actor.orgId, snapshotId, 'none');",
    tests,
  ),
  mutation(
    'reads redacted bundles in a redacted portal',
    `${domainsPath}/compliance/auditor-portals/opened-bundle.ts`,
    'openBundleFor(services, orgId, snapshotId, redactionOfPortal(portal))',
    "openBundleFor(services, orgId, snapshotId, 'none')",
    tests,
  ),
  mutation(
    'limits portals to 90 days',
    commands,
    'if (away > MAX_PORTAL_DAYS * dayMs) throw',
    'if (away < 0) throw',
    tests,
  ),
  mutation(
    'accepts no message in a closed request',
    `${domainsPath}/compliance/auditor-portals/evidence-requests.ts`,
    'if (row.isClosed) throw',
    'if (!row) throw',
    workTests,
  ),
  mutation(
    'names persons only in portals with names',
    `${domainsPath}/compliance/auditor-portals/portal-people.ts`,
    "portal.people === 'names'",
    'portal.people !== undefined',
    tests,
  ),
  mutation(
    'restricts samples to their portal',
    `${domainsPath}/compliance/auditor-portals/sample-rows.ts`,
    'where a.org_id = $1 and a.portal_id = $2`',
    'where a.org_id = $1 and $2::uuid is not null`',
    workTests,
  ),
  mutation(
    'keeps files of workpapers from the organization',
    `${domainsPath}/compliance/auditor-portals/attachments.ts`,
    "and (side = 'organization' or request_id is not null)",
    '',
    workTests,
  ),
  mutation(
    'rejects extending a portal in the database',
    `${migrationsPath}/0010-compliance.sql`,
    'or new.expires_at > old.expires_at',
    '',
    tests,
  ),
  mutation(
    'compares the excluded items of a re-performance',
    `${domainsPath}/compliance/auditor-portals/reperformance.ts`,
    '...excluded.map(',
    '...excluded.slice(1).map(',
    workTests,
  ),
  mutation(
    'carries only files of open requests',
    `${domainsPath}/compliance/auditor-portals/roll-forward.ts`,
    'and a.request_id = c.carried_from',
    'and a.request_id is not null',
    workTests,
  ),
];
