import { newId } from '#core/ids.ts';
import { createOrgSecret } from '#core/org-secrets.ts';
import type { SeededItems } from '../../../architecture/endpoint-case.ts';
import { directoryTokenKind } from './token.ts';

declare module '../../../architecture/seeded.ts' {
  interface Seed {
    directoryUserId: string;
    directoryGroupId: string;
  }
}

/** A directory with a user without access, and a group. */
export const seededItems: SeededItems = {
  create: () => ({ directoryUserId: newId(), directoryGroupId: newId() }),
  restore: async (_services, { db }, { orgId, org, directoryUserId, directoryGroupId }) => {
    const of = { org_id: orgId };
    await db.deleteFrom('directory').where('org_id', '=', orgId).execute();
    await db.deleteFrom('group_role').where('org_id', '=', orgId).execute();
    const { secret, hash } = createOrgSecret(directoryTokenKind, orgId);
    await db
      .insertInto('directory')
      .values({ ...of, product: 'entra', token_hash: hash, token_end: secret.slice(-4), created_by: org.owner.id })
      .execute();
    await db
      .insertInto('directory_user')
      .values({
        ...of,
        id: directoryUserId,
        user_name: `person of ${org.name}`,
        is_active: false,
        profile: JSON.stringify({ display: `Person of ${org.name}` }),
      })
      .execute();
    await db
      .insertInto('directory_group')
      .values({ ...of, id: directoryGroupId, display_name: `Staff of ${org.name}` })
      .execute();
    await db
      .insertInto('directory_group_member')
      .values({ ...of, group_id: directoryGroupId, user_id: directoryUserId })
      .execute();
  },
};
