import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { Conflict, Forbidden, Invalid, UpstreamFailed } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { waitAtMost } from '#core/time-limit.ts';
import type { Tx } from '#database/database.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { Github } from '#providers/github/github.ts';
import type { GithubInstallation } from '#providers/github/installations.ts';
import { queueRepositorySync, syncRepositories } from '../code-hosts/commands.ts';
import { maybeInstallation } from '../installations/queries.ts';
import { findInstallState, markInstallStateUsed, staleInstallState } from './install-state.ts';
import { maybeOrgOfInstallation } from './queries.ts';

/** The query parameters of the redirect from GitHub. */
export interface InstallCallback {
  /** Absent if the user could only request the installation from an owner. */
  installationId: string | undefined;
  state: string | undefined;
  code: string | undefined;
  setupAction: string | undefined;
}

const LISTING_WAIT_MS = 5_000;

/**
 * Binds an installation to the organization. The state must belong to this account, the installation must exist, and
 * the GitHub token of the user must list it, because its ID in the URL can be forged. Idempotent.
 */
export async function connectInstallation(
  services: Services,
  actor: Actor,
  callback: InstallCallback,
): Promise<{ redirectURL: string }> {
  const { githubApps, database } = services;
  const github = await githubApps.find();
  if (!github) throw Conflict('No GitHub app is configured on this server. Ask its operator to add one.');
  if (callback.setupAction === 'request') return recordRequest(services, actor, callback.state);
  const { installationId } = callback;
  if (installationId === undefined) throw Invalid('installation_id', 'is missing');
  const result = await database.withOrg(actor.orgId, async (tx) => {
    if (callback.state === undefined) return refreshInstallation(services, tx, actor, installationId);
    const state = await findInstallState(tx, actor, callback.state);
    const answer = { redirectURL: state.redirectPath, isNew: false };
    tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgIntegrations', { provider: 'github' }));
    if (state.usedFor) {
      if (state.usedFor.installationId === installationId) return answer;
      throw staleInstallState();
    }
    const installation = await verifyAccess(github, installationId, callback.code);
    await bind(services, tx, actor, installation);
    await markInstallStateUsed(tx, actor.orgId, state.hash, installationId);
    return { ...answer, isNew: true };
  });
  // The repository picker opens next: wait briefly for the repositories. The job lists the others.
  if (result.isNew) await syncWithin(services, actor.orgId, installationId, LISTING_WAIT_MS);
  return { redirectURL: result.redirectURL };
}

// A user who may not install apps can request it from an owner on GitHub. Nothing is installed yet.
const recordRequest = (services: Services, actor: Actor, nonce: string | undefined) =>
  services.database.withOrg(actor.orgId, async (tx) => {
    if (nonce === undefined) throw staleInstallState();
    const state = await findInstallState(tx, actor, nonce);
    if (!state.usedFor) {
      await markInstallStateUsed(tx, actor.orgId, state.hash, null);
      await recordAuditEntry(tx, {
        people: services.people,
        orgId: actor.orgId,
        actor,
        entry: {
          action: 'integration.requested',
          subject: { kind: 'installation', id: 'github' },
          data: { provider: 'github' },
        },
      });
    }
    tx.afterCommit(() => services.realtime.notifyOrganization(actor.orgId, 'orgIntegrations', { provider: 'github' }));
    return { redirectURL: state.redirectPath };
  });

// After a change of the repository access of the app, GitHub redirects users here without a state.
async function refreshInstallation(services: Services, tx: Tx, actor: Actor, installationId: string) {
  if (!(await maybeInstallation(tx, actor.orgId, 'github', installationId))) throw staleInstallState();
  await queueRepositorySync(services, tx, actor.orgId, { provider: 'github', installationId });
  return { redirectURL: '/', isNew: false };
}

async function verifyAccess(github: Github, id: string, code: string | undefined): Promise<GithubInstallation> {
  if (code === undefined) {
    throw Forbidden('GitHub did not say who you are. Connect GitHub again from here and allow Sightline to ask.');
  }
  try {
    const installation = await github.getInstallation(id);
    const token = await github.exchangeCode(code);
    if ((await github.listUserInstallations(token)).includes(id)) return installation;
  } catch (error) {
    if (!(error instanceof HostRefused)) {
      throw UpstreamFailed('GitHub returned an unexpected response. Try again in a moment.', (error as Error).message);
    }
  }
  // The same message for a missing installation and for one of another account.
  throw Forbidden('Your GitHub account has no access to this installation. Connect GitHub again.');
}

async function bind(services: Services, tx: Tx, actor: Actor, installation: GithubInstallation): Promise<void> {
  const alreadyBound = Conflict(
    `The installation on ${installation.accountLogin} is connected to another organization on this server. Disconnect it there first.`,
  );
  const owner = await maybeOrgOfInstallation(tx, installation.id);
  if (owner !== undefined && owner !== actor.orgId) throw alreadyBound;
  const current = {
    account_login: installation.accountLogin,
    html_url: installation.htmlUrl,
    permissions: JSON.stringify(installation.permissions),
    suspended_at: installation.suspendedAt,
    deleted_at: null,
  };
  await tx.db
    .insertInto('installation')
    .values({
      org_id: actor.orgId,
      provider: 'github',
      installation_id: installation.id,
      created_by: actor.accountId,
      ...current,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'provider', 'installation_id'])
        .doUpdateSet({ ...current, created_by: actor.accountId, created_at: sql<Date>`now()` }),
    )
    .execute()
    .catch((error: unknown) => {
      // If two organizations connect at the same time, the unique index rejects one.
      throw (error as { code?: string }).code === '23505' ? alreadyBound : error;
    });
  const entryId = await recordAuditEntry(tx, {
    people: services.people,
    orgId: actor.orgId,
    actor,
    entry: {
      action: 'integration.connected',
      subject: { kind: 'installation', id: installation.id },
      data: { provider: 'github', account: installation.accountLogin, after: { connected: true } },
    },
  });
  await tx.db
    .updateTable('installation')
    .set({ connection_entry: entryId })
    .where('org_id', '=', actor.orgId)
    .where('provider', '=', 'github')
    .where('installation_id', '=', installation.id)
    .execute();
  await queueRepositorySync(services, tx, actor.orgId, {
    provider: 'github',
    installationId: installation.id,
    startAfter: new Date(Date.now() + 2 * LISTING_WAIT_MS),
  });
}

async function syncWithin(services: Services, orgId: string, installationId: string, ms: number): Promise<void> {
  await waitAtMost(
    ms,
    syncRepositories(services, orgId, 'github', installationId).catch((error: Error) =>
      services.log.warn({ err: error, orgId }, 'repositories will be listed by the job'),
    ),
  );
}
