import type { Secrets } from '#core/secrets.ts';
import type { Database, Tx } from '#database/database.ts';

/** A column that may contain encrypted secrets. */
interface SealedColumn {
  table: string;
  column: string;
  ofOrganization: boolean;
}

const batch = 200;

/**
 * Encrypts all secrets that begin with one of `headers` with the current master key, in a transaction per organization
 * and batch. It can be interrupted and repeated. `owner` is the login that owns the schema. Returns the number of
 * encrypted secrets.
 */
export const reencryptAll = (owner: Database, secrets: Secrets, headers: readonly Buffer[]): Promise<number> =>
  forEachScope(owner, async (within, columns) => {
    let count = 0;
    for (let isMore = true; isMore; ) {
      isMore = await within(async (tx, orgId) => {
        const done: number[] = [];
        for (const column of columns)
          done.push(await reencryptBatch(tx, { secrets, headers, sealedColumn: column, orgId }));
        count += done.reduce((sum, one) => sum + one, 0);
        return done.includes(batch);
      });
    }
    return count;
  });

/** Counts the secrets that begin with one of the headers. */
export const countSealed = (owner: Database, headers: readonly Buffer[]): Promise<number> =>
  forEachScope(owner, (within, columns) =>
    within(async (tx, orgId) => {
      let count = 0;
      for (const { table, column } of columns) {
        const [row] = await tx.query<{ count: number }>({
          name: '',
          text: `select count(*)::int as count from ${table} where ${beginsSql(column)} ${organizationSql(orgId)}`,
          values: [headers, ...(orgId === undefined ? [] : [orgId])],
        });
        count += row?.count ?? 0;
      }
      return count;
    }),
  );

type Within = <Result>(work: (tx: Tx, orgId: string | undefined) => Promise<Result>) => Promise<Result>;

/** Runs `work` for global data and for each organization, with all binary columns, which includes new ones. */
async function forEachScope(
  owner: Database,
  work: (within: Within, columns: readonly SealedColumn[]) => Promise<number>,
): Promise<number> {
  const columns = await listColumns(owner);
  const [own, others] = [true, false].map((which) => columns.filter((one) => one.ofOrganization === which));
  let count = await work((inside) => owner.global((tx) => inside(tx, undefined)), others ?? []);
  const { rows } = await owner.pool.query<{ id: string }>('select every_organization() as id');
  for (const { id } of rows) count += await work((inside) => owner.withOrg(id, (tx) => inside(tx, id)), own ?? []);
  return count;
}

async function listColumns(owner: Database): Promise<SealedColumn[]> {
  const { rows } = await owner.pool.query<SealedColumn>(
    `select c.oid::regclass::text as table, quote_ident(a.attname) as column,
       exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'org_id' and not o.attisdropped) as "ofOrganization"
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.atttypid = 'bytea'::regtype and not a.attisdropped and a.attgenerated = ''
     order by 1, 2`,
  );
  return rows;
}

// Other values do not begin like a secret: version and key ID are 9 bytes.
const beginsSql = (column: string) => `substring(${column} from 1 for 9) = any($1::bytea[])`;
const organizationSql = (orgId: string | undefined) => (orgId === undefined ? '' : 'and org_id = $2');

async function reencryptBatch(
  tx: Tx,
  {
    secrets,
    headers,
    sealedColumn: { table, column },
    orgId,
  }: { secrets: Secrets; headers: readonly Buffer[]; sealedColumn: SealedColumn; orgId: string | undefined },
): Promise<number> {
  const rows = await tx.query<{ tableoid: number; ctid: string; sealed: Buffer }>({
    name: '',
    text: `select tableoid::int8 as tableoid, ctid::text as ctid, ${column} as sealed from ${table}
      where ${beginsSql(column)} ${organizationSql(orgId)} limit ${batch} for update`,
    values: [headers, ...(orgId === undefined ? [] : [orgId])],
  });
  for (const { tableoid, ctid, sealed } of rows)
    await tx.query({
      name: '',
      text: `update ${table} set ${column} = $1 where tableoid = $2::oid and ctid = $3::tid`,
      values: [secrets.rewrap(sealed), tableoid, ctid],
    });
  return rows.length;
}
