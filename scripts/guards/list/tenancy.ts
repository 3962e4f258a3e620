import { architecture, domains, type Guard, guard, matrix, migrations } from '../guard.ts';

const firstWall = architecture('organization-filter');
const tenancy = architecture('tenancy');

export const tenancyGuards: readonly Guard[] = [
  guard('A table has a tenant policy', `${migrations}/0007-sources.sql`, "'installation', ", '', tenancy),
  guard(
    'Its owner is held by it too',
    `${migrations}/0001-core.sql`,
    "    execute format('alter table %I force row level security', name);\n",
    '',
    tenancy,
  ),
  guard(
    'The server can change no audit entry',
    `${migrations}/0003-organization.sql`,
    'revoke update, delete on audit_event from sightline_app;',
    '',
    tenancy,
  ),
  guard(
    'The server can only read the ledger',
    `${migrations}/0005-ledger.sql`,
    'revoke insert, update, delete on ledger_entry from sightline_app;\n',
    '',
    tenancy,
  ),
  guard(
    'An event is looked for in one organization',
    `${domains}/timeline/events/queries.ts`,
    "      .where('e.org_id', '=', actor.orgId)\n",
    '',
    `${firstWall} > 'GET /v2/events/:eventId'`,
  ),
  guard(
    'An organization is found by the token',
    `${domains}/organization/organizations/queries.ts`,
    ".where('o.id', '=', orgId).executeTakeFirst()",
    ".orderBy('o.id').executeTakeFirst()",
    `${firstWall} > 'GET /v2/auth0mgm/org'`,
  ),
  guard(
    'Another organization cannot be named in a change',
    `${domains}/organization/organizations/commands.ts`,
    "  if (id !== undefined && id !== orgId) throw NotFound('Organization');\n",
    '',
    matrix('PUT /v2/auth0mgm/org'),
  ),
];
