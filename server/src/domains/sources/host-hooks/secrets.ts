import { randomBytes } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { queueHook } from './commands.ts';
import { hookPlace } from './queries.ts';

export const sealNewSecret = (secrets: Secrets, orgId: string, hookId: string): Buffer =>
  secrets.seal(hookPlace(orgId, hookId), Buffer.from(randomBytes(32).toString('hex')));

/**
 * Gives each webhook of ours on a code host a new secret, which a job brings to the host; deliveries are accepted with the one before
 * meanwhile. A webhook whose host still lacks the secret of an earlier rotation keeps that one. Answers how many there are.
 */
export async function rotateHookSecrets(services: Services, tx: Tx, orgId: string): Promise<number> {
  const hooks = await tx.db
    .selectFrom('code_host_hook')
    .where('org_id', '=', orgId)
    .where('host_hook_id', 'is not', null)
    .select(['id', 'repository_id', 'secret', 'previous_secret', 'previous_until'])
    .forUpdate()
    .execute();
  for (const { id, repository_id, secret, previous_secret, previous_until } of hooks) {
    if (previous_secret === null || previous_until !== null) {
      await tx.db
        .updateTable('code_host_hook')
        .set({ secret: sealNewSecret(services.secrets, orgId, id), previous_secret: secret, previous_until: null })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .execute();
    }
    await queueHook(services, tx, orgId, { repositoryId: repository_id });
  }
  return hooks.length;
}
