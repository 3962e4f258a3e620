import type pg from 'pg';
import { columnList, listTables, type Table } from '../backup/tables.ts';

/** Tables of accounts that move with an organization, in the order of loading. */
const accountTables = [
  'public.account',
  'public.account_identity',
  'public.account_identity_email',
  'public.account_password',
  'public.account_totp',
  'public.account_recovery_code',
] as const;
type AccountTable = (typeof accountTables)[number];

/**
 * The condition on the rows of each table that move, with the accounts `$1` and the members among them `$2`. Only members
 * keep their sign-in methods. Passkeys are bound to the address of the old installation, and recovery codes belong to a
 * second factor, so they move with an authenticator only.
 */
const conditions: Record<AccountTable, string> = {
  'public.account': 'id = any($1)',
  'public.account_identity': 'account_id = any($2)',
  'public.account_identity_email':
    '(connection, subject) in (select i.connection, i.subject from account_identity i where i.account_id = any($2))',
  'public.account_password': 'account_id = any($2)',
  'public.account_totp': 'account_id = any($2)',
  'public.account_recovery_code':
    'account_id = any($2) and exists (select from account_totp t where t.account_id = account_recovery_code.account_id)',
};

/** A table of accounts, with the query of the rows that move. */
export interface AccountRows extends Table {
  select: string;
}

/** Lists the rows of accounts that move with the current organization of the client. */
export async function listAccountRows(client: pg.ClientBase, orgId: string): Promise<AccountRows[]> {
  const { all, members } = await findAccounts(client, orgId);
  const tables = new Map((await listTables(client)).map((table) => [table.name, table]));
  const list = (ids: readonly string[]) => `'{${ids.join()}}'::uuid[]`;
  return accountTables.map((name) => {
    const table = tables.get(name);
    if (!table) throw new Error(`${name} is missing`);
    const where = conditions[name].replaceAll('$1', list(all)).replaceAll('$2', list(members));
    return { ...table, select: `select ${columnList(table)} from ${name} where ${where}` };
  });
}

/**
 * Finds the accounts that an organization knows: present and former members, those that its rows reference, and those
 * that such accounts were merged into.
 */
async function findAccounts(client: pg.ClientBase, orgId: string): Promise<{ all: string[]; members: string[] }> {
  const { rows: references } = await client.query<{ name: string; column: string }>(
    `select c.oid::regclass::text as name, quote_ident(a.attname) as column
     from pg_constraint f join pg_class c on c.oid = f.conrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
     where f.contype = 'f' and f.confrelid = 'account'::regclass and cardinality(f.conkey) = 1
       and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'org_id')`,
  );
  const known = references.map(({ name, column }) => `select ${column} as id from ${name} where org_id = $1`);
  const { rows } = await client.query<{ id: string; is_member: boolean }>(
    `with recursive known as (
       select a.id, a.merged_into from account a where a.id in (
         select value::uuid from identity where org_id = $1 and kind = 'account'
         union ${known.join(' union ')})
       union select a.id, a.merged_into from known k join account a on a.id = k.merged_into)
     select k.id, exists (
       select from member m where m.org_id = $1 and m.account_id = k.id
         and (m.status <> 'deactivated' or m.status_before_archive is not null)) as is_member
     from known k order by k.id`,
    [orgId],
  );
  return { all: rows.map(({ id }) => id), members: rows.filter((row) => row.is_member).map(({ id }) => id) };
}
