import { architecture, domains, type Guard, guard, matrix, migrations } from '../guard.ts';

const firstWall = architecture('organization-filter');
const tenancy = architecture('tenancy');

export const tenancyGuards: readonly Guard[] = [
  guard(
    'A table has a tenant policy',
    `${migrations}/0002-code-hosts.sql`,
    "array['installation', ",
    'array[',
    tenancy,
  ),
  guard(
    'Its owner is held by it too',
    `${migrations}/0003-events.sql`,
    "    execute format('alter table %I force row level security', name);\n",
    '',
    tenancy,
  ),
  guard(
    'The server can change no audit entry',
    `${migrations}/0001-foundation.sql`,
    'revoke update, delete on audit_event, ledger_pending from sightline_app;',
    '',
    tenancy,
  ),
  guard(
    'The server can only read the ledger',
    `${migrations}/0048-ledger.sql`,
    "    execute format('revoke all on %I from sightline_app, sightline_readonly', name);\n",
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
