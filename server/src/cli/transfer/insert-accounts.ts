import type pg from 'pg';
import { Conflict } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { mergeAccounts } from '../../domains/identity/authentication/linking/merge.ts';
import type { TableInBackup } from '../backup/manifest.ts';
import { columnList } from '../backup/tables.ts';
import { operatorActor } from '../operator.ts';

export interface AccountsLoaded {
  /** Created with the ID of the other installation, and with their sign-in methods. */
  created: number;
  /** Merged into an account here that has the same confirmed address. */
  matched: { from: string; into: string }[];
  /** Already known, from another organization that moved here. */
  known: number;
}

/** Loads the rows of a table into the temporary table `incoming` in chunks, and calls `use` for each. */
type LoadRows = (table: TableInBackup, use: () => Promise<unknown>) => Promise<void>;

/**
 * Inserts the accounts of an export. Each keeps its ID, which ledger entries contain. One whose address belongs to another
 * account here gets no address, and is merged into that account afterwards. Nothing here changes: no permission of an
 * employee or operator, and no sign-in method of an existing account.
 */
export async function insertAccounts(
  client: pg.Client,
  [accounts, ...others]: readonly TableInBackup[],
  load: LoadRows,
): Promise<AccountsLoaded> {
  if (!accounts) throw Conflict('The export contains no accounts.');
  await client.query(
    `create temp table moving on commit drop as select ${columnList(accounts)}, null::uuid as into_account, false as is_known
     from account with no data`,
  );
  await load(accounts, () =>
    client.query(
      `insert into moving (${columnList(accounts)}, is_known) select ${columnList(accounts)}, false from incoming`,
    ),
  );
  await matchAccounts(client);
  const placeholder: Record<string, string> = {
    email: "case when into_account is null then email else id || '@moved.invalid' end",
    is_employee: 'false',
    is_operator: 'false',
  };
  const values = accounts.columns.map((column) => placeholder[column] ?? columnList({ columns: [column] }));
  await client.query(
    `insert into account (${columnList(accounts)}) select ${values.join(', ')} from moving where not is_known`,
  );
  for (const table of others) await insertOwned(client, table, load);
  const { rows } = await client.query<{ id: string; into_account: string | null; is_known: boolean }>(
    'select id, into_account, is_known from moving order by id',
  );
  const fresh = rows.filter((row) => !row.is_known);
  return {
    created: fresh.filter((row) => row.into_account === null).length,
    matched: rows.flatMap(({ id, into_account: into }) => (into === null ? [] : [{ from: id, into }])),
    known: rows.length - fresh.length,
  };
}

/** Finds the account here of each account that moves. Throws 409 if an address is not confirmed on both sides. */
async function matchAccounts(client: pg.Client): Promise<void> {
  await client.query(`
    update moving m set is_known = true, into_account = a.merged_into from account a where a.id = m.id;
    update moving m set into_account = a.id from account a where not m.is_known and lower(a.email) = lower(m.email)`);
  const { rows } = await client.query<{ email: string }>(
    `select m.email from moving m join account a on a.id = m.into_account
     where not m.is_known and (a.email_verified_at is null or m.email_verified_at is null) order by 1`,
  );
  if (rows.length > 0)
    throw Conflict(
      `These addresses have an account here, and are not confirmed in both installations: ${rows.map(({ email }) => email).join(', ')}. Confirm or delete those accounts first.`,
    );
}

/** Inserts rows of accounts that are new here. */
async function insertOwned(client: pg.Client, table: TableInBackup, load: LoadRows): Promise<void> {
  const columns = columnList(table);
  // Identities also belong to accounts that are merged: the merge moves them, such as those of the SAML login.
  const where = table.columns.includes('account_id')
    ? `exists (select from moving m where m.id = incoming.account_id and not m.is_known
         ${table.name === 'public.account_identity' ? '' : 'and m.into_account is null'})`
    : `exists (select from account_identity i join moving m on m.id = i.account_id
         where i.connection = incoming.connection and i.subject = incoming.subject and not m.is_known)`;
  await load(table, () =>
    client.query(
      `insert into ${table.name} (${columns}) select ${columns} from incoming where ${where} on conflict do nothing`,
    ),
  );
}

/** Merges accounts into those with the same address, as their owner could do. */
export async function mergeMatched(services: Services, client: pg.Client, { matched }: AccountsLoaded): Promise<void> {
  const { requestId } = operatorActor();
  for (const { from, into } of matched) {
    // An account that was merged when an earlier organization moved here has memberships again.
    await client.query(
      'update account set email_verified_at = now(), merged_into = null, merged_at = null where id = $1',
      [from],
    );
    await mergeAccounts(services, into, from, { accountId: into, requestId, address: undefined });
  }
}
