import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { merkleRoot } from '#core/ledger.ts';
import type { ChaosLoad } from './load.ts';
import type { ChaosStage } from './stage.ts';

const drainSeconds = 180;

/** Waits until all queues are empty. Returns the remaining queues after a time limit. */
export async function waitUntilQueuesAreEmpty(stage: ChaosStage): Promise<string[]> {
  let left: string[] = [];
  for (let second = 0; second < drainSeconds; second += 1) {
    left = await withClient(stage, async (client) => {
      const { rows } = await client.query<{ name: string; count: number }>(
        `select 'ledger entries' as name, count(*)::int as count from ledger_pending
         union all select 'webhooks', count(*)::int from webhook_delivery where processed_at is null
         union all select 'imports', count(*)::int from repository_import where state not in ('done', 'failed')
         union all select 'jobs of ' || name, count(*)::int from pgboss.job
           where state in ('created', 'retry', 'active') and start_after <= now() group by name`,
      );
      return rows.filter(({ count }) => count > 0).map(({ name, count }) => `${name}: ${count}`);
    });
    if (left.length === 0) break;
    await pause(1_000);
  }
  return left;
}

/**
 * Returns problems of stored events: acknowledged ones that are missing or duplicated, and batches that differ from the
 * ledger.
 */
export const verifyStoredEvents = (stage: ChaosStage, { orgId, acknowledged, counts }: ChaosLoad): Promise<string[]> =>
  withClient(stage, async (client) => {
    const problems: string[] = [];
    await client.query('create temporary table acknowledged (id uuid not null)');
    await pipeline(createReadStream(acknowledged), client.query(from('copy acknowledged from stdin')));
    await client.query('analyze acknowledged');
    const count = async (text: string) => Number((await client.query(text, [orgId])).rows[0]?.count);
    const missing = await count(
      'select count(*) from acknowledged a where not exists (select from event e where e.org_id = $1 and e.id = a.id)',
    );
    if (missing > 0) problems.push(`acknowledged events that are missing: ${missing}`);
    const twice = await count(
      `select count(*) from (select id from event where org_id = $1 and kind = 'other' group by id having count(*) > 1) e`,
    );
    if (twice > 0) problems.push(`events that are there more than once: ${twice}`);
    const stored = await count(`select count(*) from event where org_id = $1 and kind = 'other'`);
    if (stored !== counts.acknowledged) problems.push(`events kept: ${stored}, acknowledged: ${counts.acknowledged}`);
    return [...problems, ...(await compareWithLedger(client, orgId))];
  });

/** Verifies that every batch in the ledger has its events and root, and every event has a batch. */
async function compareWithLedger(client: pg.Client, orgId: string): Promise<string[]> {
  let [batches, events, different] = [0, 0, 0];
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await client.query<{ id: string; entry: string }>(
      `select entry_id as id, entry from ledger_known where org_id = $1 and kind = 'event.batch' and entry_id > $2
       order by entry_id limit 500`,
      [orgId, after],
    );
    const last = rows.at(-1);
    if (!last) break;
    after = last.id;
    const { rows: leaves } = await client.query<{ proof: string; leaf: Buffer }>(
      'select proof, leaf_hash as leaf from event where org_id = $1 and proof = any($2) order by proof, id',
      [orgId, rows.map(({ id }) => id)],
    );
    const byProof = Map.groupBy(leaves, ({ proof }) => proof);
    for (const { id, entry } of rows) {
      const { subject } = JSON.parse(entry) as { subject: { count: number; root: string } };
      const found = (byProof.get(id) ?? []).map(({ leaf }) => leaf);
      const isSame = subject.count === found.length && merkleRoot(found).toString('base64url') === subject.root;
      if (!isSame) different += 1;
      events += found.length;
    }
    batches += rows.length;
  }
  const { rows } = await client.query<{ count: string }>(
    'select count(*) from event where org_id = $1 and proof <> id',
    [orgId],
  );
  const stored = Number(rows[0]?.count);
  return [
    ...(different > 0 ? [`batches of the ledger that differ from the events kept: ${different} of ${batches}`] : []),
    ...(events !== stored ? [`events without a batch in the ledger: ${stored - events}`] : []),
  ];
}

async function withClient<Result>(
  { databaseUrl }: ChaosStage,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
