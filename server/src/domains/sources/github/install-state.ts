import { createHash, randomBytes } from 'node:crypto';
import { sitePath } from '@sightline/contract/core/text.ts';
import { sql } from 'kysely';
import type { Actor } from '#core/actor.ts';
import { Conflict, Forbidden, NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

const lifetime = 10 * 60_000;

/** Starts an installation: remembers who asked, for which organization, and where to go on afterwards. */
export async function startInstall(
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
        expires_at: new Date(Date.now() + lifetime),
      })
      .execute();
  });
  return { installationURL: github.installationUrl(nonce) };
}

export interface InstallState {
  hash: Buffer;
  redirectPath: string;
  /** The installation it was used for; null while it is fresh. */
  usedFor: { installationId: string | null } | null;
}

/**
 * The state a browser brought back, locked until the transaction ends: a second call with it waits for the first.
 * Throws 403 for one that is unknown, too old, or was given to somebody else.
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
  if (!row || (row.used_at === null && row.expires_at.getTime() < Date.now())) throw staleState();
  return {
    hash,
    // Checked again where it is used: a row may be older than the rule.
    redirectPath: sitePath.catch('/').parse(row.redirect_path),
    usedFor: row.used_at === null ? null : { installationId: row.installation_id },
  };
}

export const staleState = () =>
  Forbidden('Another person started this connection, or it expired. Connect GitHub again.');

/** Marks a state as used; without an installation it stands for one that an owner on GitHub must approve. */
export async function useInstallState(
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

/** Whether somebody asked an owner on GitHub to install the app, and that within a month. */
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
