import type { QualifierValue } from '@sightline/contract/timeline/query-language/ast.ts';
import { Refusal } from '#core/errors.ts';
import type { Database } from '#database/database.ts';
import { likePatternOf } from '#database/page.ts';
import type { StoreCondition } from '../store/condition.ts';
import { withMergedPersonIds } from './ids-by-name.ts';

// Every page looks up each ID in an index.
const MAX_MATCHED_IDS = 10_000;

/** Events in the repositories of these code hosts. */
export const eventsOnCodeHosts = (
  database: Database,
  orgId: string,
  providers: readonly string[],
): Promise<StoreCondition> =>
  inRepositories(database, orgId, { name: 'provider', where: 'provider = any($2::text[])', values: providers });

/** Events in the repositories of these owners, including subgroups; an asterisk matches any part of a name. */
export const eventsOfRepositoryOwners = (
  database: Database,
  orgId: string,
  values: readonly QualifierValue[],
): Promise<StoreCondition> =>
  inRepositories(database, orgId, {
    name: 'owner',
    where: "lower(owner) like any($2::text[]) or lower(owner) like any(select o || '/%' from unnest($2::text[]) o)",
    values: values.map(({ text, wild }) => (wild ? likePatternOf(text.toLowerCase()) : literally(text.toLowerCase()))),
  });

/** Events in private repositories. */
export const eventsInPrivateRepositories = (database: Database, orgId: string): Promise<StoreCondition> =>
  inRepositories(database, orgId, { name: 'private', where: 'is_private and cardinality($2::text[]) = 0', values: [] });

async function inRepositories(
  database: Database,
  orgId: string,
  { name, where, values }: { name: string; where: string; values: readonly string[] },
): Promise<StoreCondition> {
  const rows = await database.onceWithOrg<{ id: string }>(orgId, {
    name: `events.repositories.${name}`,
    text: ` select r.id from tenant cross join lateral (
              select id from repository where org_id = tenant.org and (${where}) limit ${MAX_MATCHED_IDS + 1} offset 0) r`,
    values: [values],
  });
  return { is: 'column', column: 'repo', any: limitedIds(rows, 'repositories') };
}

const roleIds: Readonly<Record<string, string>> = {
  owner: 'rol_owner',
  contributor: 'rol_contributor',
  reviewer: 'rol_reviewer',
  auditor: 'rol_auditor',
};

/** Events of members who currently have one of these roles, under all of their person IDs. */
export const eventsByRoles = (database: Database, orgId: string, roles: readonly string[]): Promise<StoreCondition> =>
  byAccounts(database, orgId, {
    name: 'roles',
    accounts: 'select account_id from member where org_id = tenant.org and role_id = any($2::text[])',
    values: roles.flatMap((role) => roleIds[role] ?? []),
  });

/** Events of members with a current or former connected extension. */
export const eventsOfObservedMembers = (database: Database, orgId: string): Promise<StoreCondition> =>
  byAccounts(database, orgId, {
    name: 'observed',
    accounts: 'select account_id from presence_side where org_id = tenant.org and cardinality($2::text[]) = 0',
    values: [],
  });

async function byAccounts(
  database: Database,
  orgId: string,
  { name, accounts, values }: { name: string; accounts: string; values: readonly string[] },
): Promise<StoreCondition> {
  const rows = await database.onceWithOrg<{ id: string }>(orgId, {
    name: `events.accounts.${name}`,
    text: ` select i.id from tenant cross join lateral (
              select distinct i.person_id as id from (${accounts}) a
              join identity i on i.org_id = tenant.org and i.kind = 'account' and i.value = a.account_id::text
              limit ${MAX_MATCHED_IDS + 1} offset 0) i`,
    values: [values],
  });
  return {
    is: 'column',
    column: 'actor',
    any: await withMergedPersonIds(database, orgId, limitedIds(rows, 'members')),
  };
}

function limitedIds(rows: readonly { id: string }[], what: string): string[] {
  if (rows.length > MAX_MATCHED_IDS)
    throw new Refusal('query_too_complex', `More than ${MAX_MATCHED_IDS} ${what} match.`);
  return rows.map(({ id }) => id);
}

const literally = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');
