import { randomBytes } from 'node:crypto';
import type { Secrets } from '#core/secrets.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { queueHookSync } from './commands.ts';
import { hookSecretLocation } from './queries.ts';

export const sealNewSecret = (secrets: Secrets, orgId: string, hookId: string): Buffer =>
  secrets.seal(hookSecretLocation(orgId, hookId), Buffer.from(randomBytes(32).toString('hex')));

/**
 * Rotates the secret of each of our webhooks; a job sends it to the host. Deliveries with the previous secret are
 * accepted meanwhile. A webhook with an unfinished rotation is not rotated again. Returns the number of webhooks.
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
    await queueHookSync(services, tx, orgId, { repositoryId: repository_id });
  }
  return hooks.length;
}
