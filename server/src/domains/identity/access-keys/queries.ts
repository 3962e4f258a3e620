import type { Page } from '@sightline/contract/core/endpoint.ts';
import type { AccessKey, listAccessKeys } from '@sightline/contract/identity/access-keys.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import { NotFound } from '#core/errors.ts';
import type { Tx } from '#database/database.ts';
import { containsText, fetchPage } from '#database/page.ts';

type AccessKeysQuery = z.output<typeof listAccessKeys.query>;

const sortColumns = {
  'date-desc': ['k.created_at', 'desc'],
  'date-asc': ['k.created_at', 'asc'],
  'name-asc': ['k.name', 'asc'],
  'name-desc': ['k.name', 'desc'],
} as const satisfies Record<AccessKeysQuery['sort'], readonly ['k.created_at' | 'k.name', 'asc' | 'desc']>;

const select = ({ db }: Tx, orgId: string) =>
  db
    .selectFrom('access_key as k')
    .leftJoin('visible_account as a', 'a.id', 'k.created_by')
    .leftJoin('repository as r', (join) =>
      join.onRef('r.org_id', '=', 'k.org_id').onRef('r.id', '=', 'k.repository_id'),
    )
    .where('k.org_id', '=', orgId)
    .select([
      'k.id',
      'k.name',
      'k.use',
      'k.key_end',
      'k.repository_id',
      'k.created_by',
      'k.account_id',
      'k.created_at',
      'k.last_used_at',
      'k.expires_at',
      'k.revoked_at',
      'r.full_name',
      'a.name as creator',
      sql<boolean>`k.expires_at is not null and k.expires_at <= now()`.as('expired'),
    ]);

/** Lists one page of the access keys of the organization, including revoked and expired ones. */
export async function listKeys(tx: Tx, orgId: string, query: AccessKeysQuery): Promise<Page<AccessKey[]>> {
  const [column, direction] = sortColumns[query.sort];
  const { rows, total } = await fetchPage(
    select(tx, orgId)
      .$if(query.search !== '', (q) => q.where((eb) => containsText(eb.ref('k.name'), query.search)))
      .orderBy(column, direction)
      .orderBy('k.id'),
    query,
  );
  return { rows: rows.map(keyOf), total };
}

/** Lists the active keys of a member, the newest first. */
export async function listKeysOfMember(tx: Tx, orgId: string, accountId: string): Promise<AccessKey[]> {
  const rows = await select(tx, orgId)
    .where('k.account_id', '=', accountId)
    .where('k.revoked_at', 'is', null)
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id')
    .execute();
  return rows.map(keyOf);
}

/** Returns one access key. Throws 404 for an unknown key. */
export async function findKey(tx: Tx, orgId: string, id: string): Promise<AccessKey> {
  const row = await select(tx, orgId).where('k.id', '=', id).executeTakeFirst();
  if (!row) throw NotFound('Access key');
  return keyOf(row);
}

type AccessKeyRow = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

const keyOf = (row: AccessKeyRow): AccessKey => ({
  id: row.id,
  name: row.name,
  use: row.use as AccessKey['use'],
  repository: row.repository_id === null ? null : { id: row.repository_id, fullName: row.full_name ?? '' },
  isPersonal: row.account_id !== null,
  keyEnd: row.key_end,
  state: row.revoked_at !== null ? 'revoked' : row.expired ? 'expired' : 'active',
  createdBy: { id: row.created_by, name: row.creator ?? 'Former member' },
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
});
