import { corePath, domainsPath, type Mutation, migrationsPath, mutation } from '../guard.ts';

const tests = 'domains/compliance/auditor-portals/auditor-portals.test.ts';
const visitor = `${corePath}/auditor-portals.ts`;
const visits = `${domainsPath}/compliance/auditor-portals/portal-visits.ts`;
const commands = `${domainsPath}/compliance/auditor-portals/commands.ts`;
const views = `${domainsPath}/compliance/auditor-portals/views.ts`;

export const portalGuards: readonly Mutation[] = [
  mutation(
    'A portal is shut at its closing time',
    visitor,
    'and r.expires_at > now() and',
    'and',
    `${tests} > ends a visit`,
  ),
  mutation('A visit is of one portal', visitor, 'and v.portal_id = $3 and', 'and $3::uuid is not null and', tests),
  mutation('A visit ends', visitor, 'and v.expires_at > now()', '', tests),
  mutation(
    'Portals of an archived organization are shut',
    visitor,
    'and r.revoked_at is null and o.archived_at is null',
    'and r.revoked_at is null',
    tests,
  ),
  mutation(
    'A link of a revoked portal opens nothing',
    visits,
    'and p.expires_at > now() and p.revoked_at is null and o.archived_at is null',
    'and o.archived_at is null',
    tests,
  ),
  mutation(
    'A portal shows the snapshots in it and no others',
    visits,
    'where i.org_id = $1 and i.portal_id = $2 and i.snapshot_id = $3',
    'where i.org_id = $1 and i.portal_id = $2',
    tests,
  ),
  mutation('A sample is taken down', views, "await note(services, actor, 'portal.sampled', seen);", '', tests),
  mutation(
    'A redacted portal hands out a redacted bundle',
    views,
    'return openBundleFor(services, actor.orgId, snapshotId, actor.portal.redaction);',
    "return openBundleFor(services, actor.orgId, snapshotId, 'none');",
    tests,
  ),
  mutation(
    'A redacted portal reads a redacted bundle',
    `${domainsPath}/compliance/auditor-portals/opened-bundle.ts`,
    'openBundleFor(services, orgId, snapshotId, portal.redaction)',
    "openBundleFor(services, orgId, snapshotId, 'none')",
    tests,
  ),
  mutation(
    'A portal is open for 90 days at most',
    commands,
    'if (away > MAX_PORTAL_DAYS * dayMs) throw',
    'if (away < 0) throw',
    tests,
  ),
  mutation(
    'A request is answered once',
    commands,
    'if (request.answered_at !== null) throw',
    'if (answer === null) throw',
    tests,
  ),
  mutation(
    'The database opens no portal again',
    `${migrationsPath}/0010-compliance.sql`,
    'or new.expires_at > old.expires_at',
    '',
    tests,
  ),
];
