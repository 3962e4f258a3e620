import type { Endpoint } from '@sightline/contract/core/endpoint.ts';
import { escapeIdentifier } from 'pg';
import type { TestServer } from '#testing/server.ts';
import type { TableChangeRecorder } from './change-recorder.ts';
import type { SceneName } from './endpoint-case.ts';
import { caseOf } from './endpoint-cases.ts';
import { restoreScene } from './scene.ts';
import type { Seed } from './seeded.ts';

export interface SceneSnapshots {
  /**
   * Brings an organization into the scene that a request needs, and all others into their initial scene. Does nothing if
   * they are in it and no row changed since.
   */
  ensure: (seed: Seed, endpoint?: Endpoint) => Promise<void>;
}

/** A copy of all rows while one organization is in a scene. */
interface Snapshot {
  seed: Seed;
  scene: SceneName | undefined;
  schema: string;
  /** The names of items, which a restore may have replaced. */
  names: ReadonlyMap<Seed, Seed>;
  /** The tables that differ from the snapshot of the initial scene. */
  different: ReadonlySet<string>;
  takenAt: number;
}

/** Tests read the entries of earlier requests. */
const isLog = (table: string): boolean => /^(audit_event|account_audit|ledger_\w+)$/.test(table);

/** Rows contain times that are valid for minutes, such as that of the last sign-in. */
const MAX_AGE_MS = 120_000;

/**
 * Restores seeded organizations from copies of the changed tables, which is faster than creating the items
 * again. The seeds must be complete.
 */
export function createSceneSnapshots(
  server: TestServer,
  changes: TableChangeRecorder,
  seeds: readonly [Seed, ...Seed[]],
): SceneSnapshots {
  const { superuser } = changes;
  const snapshots = new Map<string, Snapshot>();
  let current: Snapshot | undefined;

  const keyOf = (seed: Seed, scene: SceneName | undefined): string =>
    scene === undefined ? 'initial' : `${scene} ${seeds.indexOf(seed)}`;

  /** Copies the rows of all tables. */
  async function take(seed: Seed, scene: SceneName | undefined, different: ReadonlySet<string>): Promise<Snapshot> {
    const key = keyOf(seed, scene);
    const schema = escapeIdentifier(`snapshot ${key}`);
    await superuser.query(`drop schema if exists ${schema} cascade; create schema ${schema}`);
    const tables = await restorableTables();
    await superuser.query(
      tables.map((table) => `create table ${schema}.${copyOf(table)} as table ${qualified(table)}`).join(';'),
    );
    const names = new Map(seeds.map((one) => [one, { ...one }]));
    const snapshot = { seed, scene, schema, names, different, takenAt: Date.now() };
    snapshots.set(key, snapshot);
    return snapshot;
  }

  /** Creates the items of all organizations again, and copies the result. */
  async function recreate(): Promise<Snapshot> {
    snapshots.clear();
    for (const seed of seeds) await restoreScene(server, seed);
    await changes.forget();
    return take(seeds[0], undefined, new Set());
  }

  /** Brings an organization from its initial scene into another one, and copies the result. */
  async function createScene(seed: Seed, endpoint: Endpoint): Promise<Snapshot> {
    await restoreScene(server, seed, endpoint);
    return take(seed, caseOf(endpoint).scene, new Set(await changes.forget()));
  }

  /** Replaces the rows of tables by those of a snapshot, without triggers and foreign keys. */
  async function restore(snapshot: Snapshot, tables: readonly string[]): Promise<void> {
    const columns = await columnsByTable();
    const replaced = tables
      .filter((table) => !isLog(table))
      .flatMap((table) => {
        const names = columns.get(table)?.join(', ') ?? '';
        const copy = `${snapshot.schema}.${copyOf(table)}`;
        // The logs refer to organizations that requests created.
        const replacedRows = table === 'organization' ? `where id in (select id from ${copy})` : '';
        return [
          `delete from ${qualified(table)} ${replacedRows}`,
          `insert into ${qualified(table)} (${names}) overriding system value select ${names} from ${copy}`,
        ];
      });
    await superuser.query(['begin', 'set local session_replication_role = replica', ...replaced, 'commit'].join(';'));
    for (const [seed, names] of snapshot.names) Object.assign(seed, names);
    for (const { org } of seeds) server.services.memberships.forgetOrganization(org.id);
  }

  const restorableTables = async (): Promise<string[]> =>
    [...(await columnsByTable()).keys()].filter((one) => !isLog(one));

  let columns: Map<string, string[]> | undefined;
  /** The columns of each table that can be inserted. */
  async function columnsByTable(): Promise<Map<string, string[]>> {
    if (columns) return columns;
    const { rows } = await superuser.query<{ relation: string; names: string[] }>(`
      select case c.relnamespace when 'pgboss'::regnamespace then 'pgboss.job' else c.relname end as relation,
        array_agg(quote_ident(a.attname) order by a.attnum) as names
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' or c.oid = 'pgboss.job'::regclass
      group by c.oid, c.relname, c.relnamespace`);
    columns = new Map(rows.map(({ relation, names }) => [relation, names]));
    return columns;
  }

  async function switchTo(snapshot: Snapshot): Promise<void> {
    const changed = await changes.changedTables();
    await restore(snapshot, [...new Set([...changed, ...(current?.different ?? []), ...snapshot.different])]);
    await changes.forget();
    current = snapshot;
  }

  return {
    async ensure(seed, endpoint) {
      const scene = endpoint && caseOf(endpoint).scene;
      // The recorder ignores attempts, which would limit the next request.
      await superuser.query('delete from attempt');
      const isCurrent = current && (current.seed === seed ? current.scene === scene : scene === undefined);
      if (isCurrent && (await changes.changedTables()).length === 0) return;
      const initial = snapshots.get(keyOf(seed, undefined));
      const isFresh = initial && Date.now() - initial.takenAt < MAX_AGE_MS;
      if (isFresh) await switchTo(snapshots.get(keyOf(seed, scene)) ?? initial);
      else current = await recreate();
      if (endpoint && scene !== undefined && current?.scene === undefined) current = await createScene(seed, endpoint);
    },
  };
}

const copyOf = (table: string): string => escapeIdentifier(table);
const qualified = (table: string): string => (table === 'pgboss.job' ? table : `public.${escapeIdentifier(table)}`);
