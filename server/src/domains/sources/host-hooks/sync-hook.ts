import { isArchived } from '#core/archived.ts';
import { newId } from '#core/ids.ts';
import type { Services } from '#core/services.ts';
import { previousSecretMinutes } from '#core/signatures.ts';
import type { Tx } from '#database/database.ts';
import { type HostHooks, HostRefused } from '#providers/code-host.ts';
import type { HostRef } from '../../../providers/host-facts.ts';
import { hookSecretLocation } from './queries.ts';
import { sealNewSecret } from './secrets.ts';

/**
 * Creates or removes our webhook of a repository, or sends a rotated secret to the host. Records the refusal of a host.
 * Throws HostLimited and retryable errors. In an archived organization it only removes webhooks.
 */
export async function syncHook(services: Services, orgId: string, repositoryId: string): Promise<void> {
  const { codeHosts, database } = services;
  const found = await database.withOrg(orgId, async (tx) => {
    const repository = await maybeRepository(tx, orgId, repositoryId);
    return repository?.wanted && (await isArchived(tx, orgId)) ? undefined : repository;
  });
  if (!found || (found.wanted ? found.host_hook_id !== null && !isRotated(found) : found.hook_id === null)) return;
  const { provider, installation_id: installationId, owner, name } = found;
  const host = await codeHosts.maybe(orgId, provider, installationId);
  if (!host?.hooks) return;
  const ref = { installationId, owner, name };
  try {
    if (found.wanted)
      await addHook(services, orgId, { repositoryId, hooks: host.hooks, ref, provider, existing: found.host_hook_id });
    else await removeHook(services, orgId, { repositoryId, hooks: host.hooks, ref, hostHookId: found.host_hook_id });
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error;
    await database.withOrg(orgId, (tx) => recordHookFailure(tx, orgId, repositoryId, error.message));
  }
  services.realtime.notifyOrganization(orgId, 'orgIntegrations', { provider });
}

async function maybeRepository({ db }: Tx, orgId: string, repositoryId: string) {
  const row = await db
    .selectFrom('repository as r')
    .innerJoin('installation as i', (join) =>
      join
        .onRef('i.org_id', '=', 'r.org_id')
        .onRef('i.provider', '=', 'r.provider')
        .onRef('i.installation_id', '=', 'r.installation_id'),
    )
    .leftJoin('code_host_hook as h', (join) =>
      join.onRef('h.org_id', '=', 'r.org_id').onRef('h.repository_id', '=', 'r.id'),
    )
    .where('r.org_id', '=', orgId)
    .where('r.id', '=', repositoryId)
    .select(['r.provider', 'r.installation_id', 'r.owner', 'r.name', 'r.tracked', 'r.removed_at', 'i.deleted_at'])
    .select(['h.id as hook_id', 'h.host_hook_id', 'h.previous_secret', 'h.previous_until'])
    .executeTakeFirst();
  return row && { ...row, wanted: row.tracked && row.removed_at === null && row.deleted_at === null };
}

/** Whether the secret was rotated and the host does not have the new one yet. */
const isRotated = (hook: { previous_secret: Buffer | null; previous_until: Date | null }): boolean =>
  hook.previous_secret !== null && hook.previous_until === null;

// Inserts the row first: if the server crashes, the secret of a created webhook is still stored.
async function addHook(
  { config, database, secrets }: Services,
  orgId: string,
  {
    repositoryId,
    hooks,
    ref,
    provider,
    existing,
  }: { repositoryId: string; hooks: HostHooks; ref: HostRef; provider: string; existing: string | null },
): Promise<void> {
  const { id, sealed } = await database.withOrg(orgId, async ({ db }) => {
    const fresh = newId();
    const secret = sealNewSecret(secrets, orgId, fresh);
    await db
      .insertInto('code_host_hook')
      .values({ org_id: orgId, id: fresh, repository_id: repositoryId, secret })
      .onConflict((conflict) => conflict.columns(['org_id', 'repository_id']).doNothing())
      .execute();
    const row = await hookOf(db, orgId, repositoryId).select(['id', 'secret']).executeTakeFirstOrThrow();
    return { id: row.id, sealed: row.secret };
  });
  const secret = secrets.open(hookSecretLocation(orgId, id), sealed).toString();
  const url = `${config.PUBLIC_URL}/api/webhooks/${provider}?hook=${id}`;
  const hostHookId = existing ?? (await hooks.createHook(ref, { url, secret }));
  if (existing !== null) await hooks.setHookSecret(ref, existing, { url, secret });
  await database.withOrg(orgId, ({ db }) =>
    db
      .updateTable('code_host_hook')
      .set({
        host_hook_id: hostHookId,
        failed_at: null,
        failure: null,
        previous_until: new Date(Date.now() + previousSecretMinutes * 60_000),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute(),
  );
}

async function removeHook(
  { database }: Services,
  orgId: string,
  {
    repositoryId,
    hooks,
    ref,
    hostHookId,
  }: { repositoryId: string; hooks: HostHooks; ref: HostRef; hostHookId: string | null },
): Promise<void> {
  if (hostHookId !== null) await hooks.deleteHook(ref, hostHookId);
  await database.withOrg(orgId, ({ db }) =>
    db.deleteFrom('code_host_hook').where('org_id', '=', orgId).where('repository_id', '=', repositoryId).execute(),
  );
}

const hookOf = (db: Tx['db'], orgId: string, repositoryId: string) =>
  db.selectFrom('code_host_hook').where('org_id', '=', orgId).where('repository_id', '=', repositoryId);

/** Records why one of our webhooks could not be created or removed. */
export const recordHookFailure = ({ db }: Tx, orgId: string, repositoryId: string, failure: string) =>
  db
    .updateTable('code_host_hook')
    .set({ failed_at: new Date(), failure: failure.slice(0, 500) })
    .where('org_id', '=', orgId)
    .where('repository_id', '=', repositoryId)
    .execute();
