import type { createView, SavedView, updateView, ViewList } from '@sightline/contract/timeline/explore.ts';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Forbidden, Invalid, NotFound } from '#core/errors.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { resolveQuestion } from '../events/queries.ts';

/** Maximum number of views of an account. */
const maxViews = 200;

/** The actor's own views of a list, then shared views of others, each sorted by name. */
export async function listSavedViews({ db }: Tx, { orgId, accountId }: Actor, list: ViewList): Promise<SavedView[]> {
  const rows = await viewRows(db, orgId)
    .where('v.list', '=', list)
    .where((row) => row.or([row('v.account_id', '=', accountId), row('v.shared', '=', true)]))
    .orderBy(sql`v.account_id = ${accountId}`, 'desc')
    .orderBy(sql`lower(v.name)`)
    .orderBy('v.id')
    .execute();
  return rows.map((row) => viewOf(row, accountId));
}

/** Saves a query as a view. Refuses an invalid query, a repeated name, and more than `maxViews` views. */
export async function saveView(
  services: Services,
  actor: Actor,
  { list, name, query, context, chart, shared }: z.output<typeof createView.body>,
): Promise<SavedView> {
  await checkQuery(services, actor, { list, query, context, chart });
  return services.database.withOrg(actor.orgId, async (tx) => {
    await lockViews(tx, actor);
    const { count } = await tx.db
      .selectFrom('saved_view')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('org_id', '=', actor.orgId)
      .where('account_id', '=', actor.accountId)
      .executeTakeFirstOrThrow();
    if (count >= maxViews) throw Conflict(`The limit of ${maxViews} saved views is reached. Delete one first.`);
    await checkName(tx, actor, { list, name });
    const id = newId();
    await tx.db
      .insertInto('saved_view')
      .values({
        org_id: actor.orgId,
        id,
        account_id: actor.accountId,
        list,
        name,
        query,
        context,
        chart: jsonOf(chart),
        shared,
      })
      .execute();
    if (shared) await recordChange(services, tx, actor, { action: 'view.shared', id, name });
    return findView(tx, actor, id);
  });
}

/** Changes the actor's own view. Throws 403 for a shared view of others, 404 for a private one. */
export async function updateSavedView(
  services: Services,
  actor: Actor,
  viewId: string,
  { chart, ...patch }: z.output<typeof updateView.body>,
): Promise<SavedView> {
  const { list } = await services.database.withOrg(actor.orgId, (tx) => findView(tx, actor, viewId));
  if (patch.query !== undefined || patch.context !== undefined || chart !== undefined) {
    const { query = '', context = null } = patch;
    await checkQuery(services, actor, { list, query, context, chart: chart ?? null });
  }
  return services.database.withOrg(actor.orgId, async (tx) => {
    await lockViews(tx, actor);
    const before = await findView(tx, actor, viewId);
    if (!before.mine) throw Forbidden(`Only ${before.owner} can change this view. Save your own view instead.`);
    if (patch.name !== undefined) await checkName(tx, actor, { list, name: patch.name, except: viewId });
    await tx.db
      .updateTable('saved_view')
      .set({ ...patch, ...(chart !== undefined && { chart: jsonOf(chart) }), updated_at: sql<Date>`now()` })
      .where('org_id', '=', actor.orgId)
      .where('id', '=', viewId)
      .execute();
    const after = await findView(tx, actor, viewId);
    const name = after.name;
    if (before.shared !== after.shared)
      await recordChange(services, tx, actor, {
        action: after.shared ? 'view.shared' : 'view.unshared',
        id: viewId,
        name,
      });
    else if (after.shared) await recordChange(services, tx, actor, { action: 'view.updated', id: viewId, name });
    return after;
  });
}

/** Deletes the actor's own view, or any shared view for an Account Owner. */
export function deleteSavedView(services: Services, actor: Actor, viewId: string): Promise<null> {
  return services.database.withOrg(actor.orgId, async (tx) => {
    const view = await findView(tx, actor, viewId);
    if (!view.mine && actor.roleId !== 'rol_owner')
      throw Forbidden(`Only ${view.owner} and Account Owners can delete this view.`);
    await tx.db.deleteFrom('saved_view').where('org_id', '=', actor.orgId).where('id', '=', viewId).execute();
    if (view.shared) await recordChange(services, tx, actor, { action: 'view.deleted', id: viewId, name: view.name });
    return null;
  });
}

/**
 * Throws for an invalid query of events, and for a context or chart of another list. Pages read the query of other
 * lists, and ignore invalid values as in a URL.
 */
async function checkQuery(
  services: Services,
  actor: Actor,
  { list, query, context, chart }: Pick<SavedView, 'list' | 'query' | 'context' | 'chart'>,
): Promise<void> {
  if (list === 'events') await resolveQuestion(services, actor, { query, context: context ?? undefined, offset: 0 });
  else if (context !== null) throw Invalid('context', 'must be null, because only views of events have one');
  else if (chart !== null) throw Invalid('chart', 'must be null, because only views of events have one');
}

const jsonOf = (chart: SavedView['chart']) => (chart === null ? null : JSON.stringify(chart));

/** Serializes concurrent requests of one account. */
const lockViews = (tx: Tx, { orgId, accountId }: Actor) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`saved_view ${orgId} ${accountId}`}, 0))`.execute(tx.db);

async function checkName(
  { db }: Tx,
  { orgId, accountId }: Actor,
  { list, name, except }: { list: ViewList; name: string; except?: string },
): Promise<void> {
  const existing = await db
    .selectFrom('saved_view')
    .select('id')
    .where('org_id', '=', orgId)
    .where('account_id', '=', accountId)
    .where('list', '=', list)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .executeTakeFirst();
  if (existing) throw Conflict(`You already have a view named “${name}”. Choose another name.`);
}

async function recordChange(
  services: Services,
  tx: Tx,
  actor: Actor,
  {
    action,
    id,
    name,
  }: {
    action: 'view.shared' | 'view.unshared' | 'view.updated' | 'view.deleted';
    id: string;
    name: string;
  },
): Promise<void> {
  await recordAuditEntry(tx, {
    people: services.people,
    orgId: actor.orgId,
    actor,
    entry: { action, subject: { kind: 'view', id }, data: { name } },
  });
  tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgAudit', {}));
}

async function findView({ db }: Tx, { orgId, accountId }: Actor, viewId: string): Promise<SavedView> {
  const row = await viewRows(db, orgId)
    .where('v.id', '=', viewId)
    .where((one) => one.or([one('v.account_id', '=', accountId), one('v.shared', '=', true)]))
    .executeTakeFirst();
  if (!row) throw NotFound('View');
  return viewOf(row, accountId);
}

const viewRows = (db: Tx['db'], orgId: string) =>
  db
    .selectFrom('saved_view as v')
    .leftJoin('visible_account as a', 'a.id', 'v.account_id')
    .where('v.org_id', '=', orgId)
    .select([
      'v.id',
      'v.account_id',
      'v.list',
      'v.name',
      'v.query',
      'v.context',
      'v.chart',
      'v.shared',
      'v.created_at',
      'v.updated_at',
      'a.name as owner_name',
      'a.email as owner_email',
    ]);

function viewOf(
  row: Awaited<ReturnType<ReturnType<typeof viewRows>['execute']>>[number],
  accountId: string,
): SavedView {
  return {
    id: row.id,
    list: row.list as ViewList,
    name: row.name,
    query: row.query,
    context: row.context,
    chart: row.chart as SavedView['chart'],
    shared: row.shared,
    mine: row.account_id === accountId,
    owner: row.owner_name || row.owner_email || 'Former member',
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
