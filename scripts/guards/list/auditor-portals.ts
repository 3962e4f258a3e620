import { core, domains, type Guard, guard, migrations } from '../guard.ts';

const tests = 'domains/compliance/auditor-portals/auditor-portals.test.ts';
const visitor = `${core}/auditor-portals.ts`;
const visits = `${domains}/compliance/auditor-portals/visits.ts`;
const commands = `${domains}/compliance/auditor-portals/commands.ts`;
const views = `${domains}/compliance/auditor-portals/views.ts`;

export const portalGuards: readonly Guard[] = [
  guard(
    'A portal is shut at its closing time',
    visitor,
    'and r.expires_at > now() and',
    'and',
    `${tests} > ends a visit`,
  ),
  guard('A visit is of one portal', visitor, 'and v.portal_id = $3 and', 'and $3::uuid is not null and', tests),
  guard('A visit ends', visitor, 'and v.expires_at > now()', '', tests),
  guard(
    'Portals of an archived organization are shut',
    visitor,
    'and r.revoked_at is null and o.archived_at is null',
    'and r.revoked_at is null',
    tests,
  ),
  guard(
    'A link of a revoked portal opens nothing',
    visits,
    'and r.expires_at > now() and r.revoked_at is null and o.archived_at is null',
    'and o.archived_at is null',
    tests,
  ),
  guard(
    'A portal shows the snapshots in it and no others',
    visits,
    'where i.org_id = $1 and i.portal_id = $2 and i.snapshot_id = $3',
    'where i.org_id = $1 and i.portal_id = $2',
    tests,
  ),
  guard('A sample is taken down', views, "await note(services, actor, 'portal.sampled', seen);", '', tests),
  guard(
    'A redacted portal hands out a redacted bundle',
    views,
    'return openBundleFor(services, actor.orgId, snapshotId, actor.portal.redaction);',
    "return openBundleFor(services, actor.orgId, snapshotId, 'none');",
    tests,
  ),
  guard(
    'A redacted portal reads a redacted bundle',
    `${domains}/compliance/auditor-portals/opened-bundle.ts`,
    'openBundleFor(services, orgId, snapshotId, portal.redaction)',
    "openBundleFor(services, orgId, snapshotId, 'none')",
    tests,
  ),
  guard(
    'A portal is open for 90 days at most',
    commands,
    'if (away > MAX_PORTAL_DAYS * dayMs) throw',
    'if (away < 0) throw',
    tests,
  ),
  guard(
    'A request is answered once',
    commands,
    'if (request.answered_at !== null) throw',
    'if (answer === null) throw',
    tests,
  ),
  guard(
    'The database opens no portal again',
    `${migrations}/0010-compliance.sql`,
    'or new.expires_at > old.expires_at',
    '',
    tests,
  ),
];
