import { accessMatrixTest, architectureTest, domainsPath, type Mutation, migrationsPath, mutation } from '../guard.ts';

const firstWall = architectureTest('organization-filter');
const tenancy = architectureTest('tenancy');

export const tenancyGuards: readonly Mutation[] = [
  mutation('A table has a tenant policy', `${migrationsPath}/0007-sources.sql`, "'installation', ", '', tenancy),
  mutation(
    'Its owner is held by it too',
    `${migrationsPath}/0001-core.sql`,
    "    execute format('alter table %I force row level security', name);\n",
    '',
    tenancy,
  ),
  mutation(
    'The server can change no audit entry',
    `${migrationsPath}/0003-organization.sql`,
    'revoke update, delete on audit_event from sightline_app;',
    '',
    tenancy,
  ),
  mutation(
    'The server can only read the ledger',
    `${migrationsPath}/0005-ledger.sql`,
    'revoke insert, update, delete on ledger_entry from sightline_app;\n',
    '',
    tenancy,
  ),
  mutation(
    'An event is looked for in one organization',
    `${domainsPath}/timeline/events/queries.ts`,
    "      .where('e.org_id', '=', actor.orgId)\n",
    '',
    `${firstWall} > 'GET /v2/events/:eventId'`,
  ),
  mutation(
    'An organization is found by the token',
    `${domainsPath}/organization/organizations/queries.ts`,
    ".where('o.id', '=', orgId).executeTakeFirst()",
    ".orderBy('o.id').executeTakeFirst()",
    `${firstWall} > 'GET /v2/auth0mgm/org'`,
  ),
  mutation(
    'Another organization cannot be named in a change',
    `${domainsPath}/organization/organizations/commands.ts`,
    "  if (id !== undefined && id !== orgId) throw NotFound('Organization');\n",
    '',
    accessMatrixTest('PUT /v2/auth0mgm/org'),
  ),
];
