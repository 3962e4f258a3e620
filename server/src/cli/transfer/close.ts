import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, NotFound } from '#core/errors.ts';
import { recordOperatorEntry } from '#core/operator-log.ts';
import type { Services } from '#core/services.ts';
import { transactionOn } from '#database/database.ts';
import { operatorActor, operatorUserName } from '../operator.ts';

export interface FoundOrganization {
  id: string;
  slug: string;
  name: string;
  /** The installation that it moved to. */
  movedTo: string | null;
}

/** Finds an organization by ID or slug, also one that moved. Throws 404 if there is none. */
export async function findOrganizationAnywhere(client: pg.Client, given: string): Promise<FoundOrganization> {
  const { rows } = await client.query<{ id: string }>(
    'select every_organization() as id union all select id from moved_organization',
  );
  for (const { id } of rows) {
    await client.query("select set_config('app.org', $1, false)", [id]);
    const found = await client.query<FoundOrganization>(
      `select o.id, o.slug, o.display_name as name, v.address as "movedTo"
       from organization o left join moved_organization v on v.id = o.id
       where o.id = $1 and ($1::text = $2 or o.slug = $2)`,
      [id, given],
    );
    if (found.rows[0]) return found.rows[0];
  }
  throw NotFound(`Organization "${given}"`);
}

/**
 * Closes an organization that moves to another installation: from now on the server refuses each request about it and
 * skips its jobs. Returns when no earlier transaction can change its rows any more. `client`: the login of the owner.
 */
export async function closeMovedOrganization(
  { people, realtime, memberships }: Services,
  client: pg.Client,
  { id, movedTo }: FoundOrganization,
  address: string,
): Promise<void> {
  if (movedTo !== null && movedTo !== address)
    throw Conflict(`This organization already moved to ${movedTo}. To change that, run: org reopen`);
  if (movedTo === null) {
    await client.query('begin');
    try {
      await client.query("select set_config('app.org', $1, true)", [id]);
      await requireSegmentsInDatabase(client, id);
      const tx = transactionOn(client, []);
      await recordAuditEntry(tx, {
        people,
        orgId: id,
        actor: operatorActor(),
        entry: { action: 'organization.moved_away', subject: { kind: 'organization', id }, data: { address } },
      });
      await recordOperatorEntry(tx, operatorUserName(), {
        action: 'organization.moved_away',
        subject: { kind: 'organization', id },
        data: { address },
      });
      await client.query('insert into moved_organization (id, address) values ($1, $2)', [id, address]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
    memberships.forgetOrganization(id);
    realtime.cutOrganization(id);
  }
  await untilEarlierTransactionsEnded(client);
  await requireSegmentsInDatabase(client, id);
}

/** Throws 409 if archived events are in a folder or bucket, since the export contains only rows. */
async function requireSegmentsInDatabase(client: pg.Client, orgId: string): Promise<void> {
  const { rows } = await client.query('select from event_segment where org_id = $1 and data is null limit 1', [orgId]);
  if (rows.length > 0)
    throw Conflict(
      'Archived events of this organization are outside of the database. Restore them first: events archive restore',
    );
}

/** The time limit for transactions that began before the organization was closed, in milliseconds. */
const LONGEST_WAIT_MS = 120_000;

/** The owner of the schema sees transactions of its own login and of that of the server, the only ones that write rows. */
async function untilEarlierTransactionsEnded(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
  const end = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const running = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
         and xact_start <= $1::timestamptz`,
      [rows[0]?.at],
    );
    if (running.rows[0]?.count === 0) return;
    if (performance.now() > end)
      throw Conflict('A transaction that began before is still running. Run the command again when it has ended.');
    await setTimeout(200);
  }
}

/** Opens an organization again whose move was given up. Throws 409 if it is not closed. */
export async function reopenOrganization(client: pg.Client, { id, movedTo }: FoundOrganization): Promise<void> {
  if (movedTo === null) throw Conflict('This organization did not move.');
  await client.query('begin');
  await client.query('delete from moved_organization where id = $1', [id]);
  await recordOperatorEntry(transactionOn(client, []), operatorUserName(), {
    action: 'organization.reopened',
    subject: { kind: 'organization', id },
    data: { before: { movedTo }, after: { movedTo: null } },
  });
  await client.query('commit');
}
