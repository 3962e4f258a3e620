import { createHash, randomBytes } from 'node:crypto';
import { sitePath } from '@sightline/contract/core/text.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { Conflict, Forbidden, NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

const STATE_LIFETIME_MS = 10 * 60_000;

/** Starts an installation. Stores the account, the organization and the path to redirect to afterwards. */
export async function startAppInstallation(
  { githubApps, database }: Services,
  actor: Actor,
  redirectPath: string,
  orgId: string = actor.orgId,
): Promise<{ installationURL: string }> {
  if (orgId !== actor.orgId) throw NotFound('Organization');
  const github = await githubApps.find();
  if (!github) throw Conflict('No GitHub app is configured on this server. Ask its operator to add one.');
  const nonce = randomBytes(32).toString('base64url');
  await database.withOrg(actor.orgId, async ({ db }) => {
    await db
      .deleteFrom('install_state')
      .where('org_id', '=', actor.orgId)
      .where('expires_at', '<', sql<Date>`now() - interval '1 day'`)
      .where('used_at', 'is', null)
      .execute();
    await db
      .insertInto('install_state')
      .values({
        org_id: actor.orgId,
        nonce_hash: hashOf(nonce),
        account_id: actor.accountId,
        provider: 'github',
        redirect_path: redirectPath,
        expires_at: new Date(Date.now() + STATE_LIFETIME_MS),
      })
      .execute();
  });
  return { installationURL: github.installationUrl(nonce) };
}

export interface InstallState {
  hash: Buffer;
  redirectPath: string;
  /** The installation that the state was used for; null while unused. */
  usedFor: { installationId: string | null } | null;
}

/**
 * Finds the state of a redirect and locks it until the transaction ends. Throws 403 if it is unknown, expired or of
 * another account.
 */
export async function findInstallState(tx: Tx, actor: Actor, nonce: string | undefined): Promise<InstallState> {
  const hash = hashOf(nonce ?? '');
  const row = await tx.db
    .selectFrom('install_state')
    .where('org_id', '=', actor.orgId)
    .where('nonce_hash', '=', hash)
    .where('account_id', '=', actor.accountId)
    .where('provider', '=', 'github')
    .select(['redirect_path', 'installation_id', 'expires_at', 'used_at'])
    .forUpdate()
    .executeTakeFirst();
  if (!row || (row.used_at === null && row.expires_at.getTime() < Date.now())) throw staleInstallState();
  return {
    hash,
    // Validated again: the row may be older than the validation at the start.
    redirectPath: sitePath.catch('/').parse(row.redirect_path),
    usedFor: row.used_at === null ? null : { installationId: row.installation_id },
  };
}

export const staleInstallState = () =>
  Forbidden('Another person started this connection, or it expired. Connect GitHub again.');

/** Marks a state as used; without an installation, an owner on GitHub must approve the request. */
export async function markInstallStateUsed(
  tx: Tx,
  orgId: string,
  hash: Buffer,
  installationId: string | null,
): Promise<void> {
  await tx.db
    .updateTable('install_state')
    .set({ used_at: sql<Date>`now()`, installation_id: installationId })
    .where('org_id', '=', orgId)
    .where('nonce_hash', '=', hash)
    .execute();
}

/** Whether a member requested the installation from an owner on GitHub within the last 30 days. */
export async function isWaitingForApproval(tx: Tx, orgId: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('install_state')
    .where('org_id', '=', orgId)
    .where('provider', '=', 'github')
    .where('used_at', '>', sql<Date>`now() - interval '30 days'`)
    .where('installation_id', 'is', null)
    .select('used_at')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const hashOf = (nonce: string): Buffer => createHash('sha256').update(nonce).digest();
