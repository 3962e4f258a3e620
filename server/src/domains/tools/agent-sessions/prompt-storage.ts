import type { PromptStorage } from '@sightline/contract/tools/agent-sessions.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { requireOwner } from '#core/owner-lock.ts';
import { loadPersonDisplays } from '#core/person-displays.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';

/** Whether texts of prompts are stored. Until the transaction ends, the storage is not stopped. */
export async function isStoringPrompts(tx: Tx, orgId: string): Promise<boolean> {
  const rows = await tx.query({
    name: 'agents.storing-prompts',
    text: 'select 1 from agent_prompt_storage where org_id = $1 for share',
    values: [orgId],
  });
  return rows.length > 0;
}

/** Returns whether texts of prompts are stored, and who decided it. */
export async function findPromptStorage(tx: Tx, orgId: string): Promise<PromptStorage> {
  const row = await tx.db
    .selectFrom('agent_prompt_storage')
    .select(['enabled_at', 'enabled_by'])
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  if (!row) return { isEnabled: false, enabledAt: null, enabledBy: null };
  const displayOf = await loadPersonDisplays(tx, orgId, [row.enabled_by]);
  const { name, picture } = displayOf(row.enabled_by);
  return {
    isEnabled: true,
    enabledAt: row.enabled_at.toISOString(),
    enabledBy: { id: row.enabled_by, name, picture },
  };
}

/** Starts to store texts of prompts, or stops it and deletes all of them. */
export const setPromptStorage = (services: Services, actor: Actor, isEnabled: boolean): Promise<PromptStorage> =>
  services.database.withOrg(actor.orgId, async (tx) => {
    const { orgId, personId } = actor;
    await requireOwner(tx, actor);
    const before = await findPromptStorage(tx, orgId);
    if (before.isEnabled === isEnabled) return before;
    if (isEnabled) {
      await tx.db.insertInto('agent_prompt_storage').values({ org_id: orgId, enabled_by: personId }).execute();
    } else {
      // Waits for telemetry that is being stored.
      await tx.db.deleteFrom('agent_prompt_storage').where('org_id', '=', orgId).execute();
    }
    const { numDeletedRows } = isEnabled
      ? { numDeletedRows: 0n }
      : await tx.db.deleteFrom('agent_prompt').where('org_id', '=', orgId).executeTakeFirst();
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor,
      entry: {
        action: 'agent_prompts.storage_changed',
        subject: { kind: 'organization', id: orgId },
        data: {
          before: { state: isEnabled ? 'off' : 'on' },
          after: { state: isEnabled ? 'on' : 'off' },
          ...(!isEnabled && { deleted: Number(numDeletedRows) }),
        },
      },
    });
    return findPromptStorage(tx, orgId);
  });
