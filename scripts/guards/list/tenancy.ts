import { accessMatrixTest, architectureTest, domainsPath, type Mutation, migrationsPath, mutation } from '../guard.ts';

const firstWall = architectureTest('organization-filter');
const tenancy = architectureTest('tenancy');

export const tenancyGuards: readonly Mutation[] = [
  mutation(
    'applies a tenant policy to every table',
    `${migrationsPath}/0007-sources.sql`,
    "'installation', ",
    '',
    tenancy,
  ),
  mutation(
    'applies row-level security to the table owner',
    `${migrationsPath}/0001-core.sql`,
    "    execute format('alter table %I force row level security', name);\n",
    '',
    tenancy,
  ),
  mutation(
    'denies the server changes to audit entries',
    `${migrationsPath}/0003-organization.sql`,
    'revoke update, delete on audit_event from sightline_app;',
    '',
    tenancy,
  ),
  mutation(
    'denies the server changes to ledger entries',
    `${migrationsPath}/0005-ledger.sql`,
    'revoke insert, update, delete on ledger_entry from sightline_app;\n',
    '',
    tenancy,
  ),
  mutation(
    'restricts the lookup of an event to one organization',
    `${domainsPath}/timeline/events/queries.ts`,
    'from event where org_id = tenant.org and id = $2 offset 0) e',
    'from event where id = $2 offset 0) e',
    `${firstWall} > 'GET /v2/events/:eventId'`,
  ),
  mutation(
    'selects the organization of the token',
    `${domainsPath}/organization/organizations/queries.ts`,
    ".where('o.id', '=', orgId).executeTakeFirst()",
    ".orderBy('o.id').executeTakeFirst()",
    `${firstWall} > 'GET /v2/auth0mgm/org'`,
  ),
  mutation(
    'rejects changes to another organization',
    `${domainsPath}/organization/organizations/commands.ts`,
    "  if (id !== undefined && id !== orgId) throw NotFound('Organization');\n",
    '',
    accessMatrixTest('PUT /v2/auth0mgm/org'),
  ),
];
