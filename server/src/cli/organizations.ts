import { organizationName } from '@sightline/contract/organization/organizations.ts';
import type pg from 'pg';
import { NotFound, OrganizationMoved, Refusal } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { movedToOf } from '#database/database.ts';
import { createOwnedOrganization } from '../domains/organization/organizations/commands.ts';
import { type CliAccount, findAccountByEmail } from './accounts.ts';
import { command } from './command.ts';
import { withServices } from './command-resources.ts';
import { operatorActorFor } from './operator.ts';
import { withClient } from './schema.ts';

export interface Organization {
  id: string;
  slug: string;
  name: string;
}

/** The option of commands about one organization. */
export const organizationOption = { valueName: 'SLUG|ID', required: true, description: 'The organization.' } as const;

export const createOrganization = command({
  name: 'org create',
  description: 'Creates an organization with a user as its first Account Owner.',
  options: {
    name: { valueName: 'NAME', required: true, description: 'The name of the organization.' },
    owner: {
      valueName: 'ADDRESS',
      required: true,
      description: 'The email address of a user with a confirmed address.',
    },
  },
  run: async ({ options }) =>
    withServices(async (services) => {
      const owner = await findAccountByEmail(services, options.owner);
      const organization = await addOrganization(services, options.name, owner);
      return {
        json: { organization: { ...organization, owner: owner.email } },
        lines: [`Created ${organization.name} (${organization.slug}, ${organization.id}), owned by ${owner.email}.`],
      };
    }),
});

/** Throws like `setUpOrganization`, and `validation_failed` for an invalid name. */
export async function addOrganization(services: Services, given: string, owner: CliAccount): Promise<Organization> {
  const name = organizationName.safeParse(given);
  if (!name.success) throw new Refusal('validation_failed', `--name: ${name.error.issues[0]?.message}`);
  const { id } = await createOwnedOrganization(services, operatorActorFor(owner), name.data);
  return findById(services, id);
}

/** Returns the organization with an ID or slug. Throws 404 if there is none. */
export async function findOrganization(services: Services, ownerUrl: string, given: string): Promise<Organization> {
  if (uuid.test(given)) return findById(services, given);
  const id = await idOfSlug(ownerUrl, given);
  if (id === undefined) throw NotFound(`Organization "${given}"`);
  return findById(services, id);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const findById = (services: Services, id: string): Promise<Organization> =>
  readOrganization(services, id).catch((error: unknown) => {
    const movedTo = movedToOf(error);
    throw movedTo === undefined ? error : OrganizationMoved(movedTo);
  });

const readOrganization = ({ database }: Services, id: string): Promise<Organization> =>
  database.withOrg(id, async ({ db }) => {
    const row = await db
      .selectFrom('organization')
      .select(['id', 'slug', 'display_name as name'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw NotFound(`Organization "${id}"`);
    return row;
  });

/** Returns the IDs of all organizations, except those that moved to another installation. */
export const listOrganizationIds = (ownerUrl: string): Promise<string[]> => withClient(ownerUrl, readIds);

/**
 * Even the owner's login sees one organization at a time. A cross-organization function lists their IDs, and the
 * statement reads the slug of each.
 */
const idOfSlug = (ownerUrl: string, slug: string): Promise<string | undefined> =>
  withClient(ownerUrl, async (client) => {
    await client.query('begin');
    for (const id of await readIds(client)) {
      await client.query("select set_config('app.org', $1, true)", [id]);
      const found = await client.query('select from organization where id = $1 and slug = $2', [id, slug]);
      if (found.rows.length > 0) return id;
    }
    return undefined;
  });

async function readIds(client: pg.Client): Promise<string[]> {
  await client.query('set role sightline_lookup');
  const { rows } = await client.query<{ ids: string[] | null }>(
    `select array_agg(distinct org_id::text) as ids from member
     where not exists (select from moved_organization v where v.id = org_id)`,
  );
  await client.query('reset role');
  return rows[0]?.ids ?? [];
}
