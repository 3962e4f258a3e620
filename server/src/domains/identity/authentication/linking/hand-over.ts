import { isArchived } from '#core/archived.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { JobData } from '#core/jobs.ts';
import { personsWithAccount } from '#core/people.ts';
import type { Services } from '#core/services.ts';
import type { Tx } from '#database/database.ts';
import { personsUnited } from '../topics.ts';
import { lockPersons, unitePersons } from './unite-persons.ts';

declare module '#core/jobs.ts' {
  interface JobData {
    'identity.unite': { orgId: string; from: string; into: string };
  }
}

/**
 * Merges two persons whom a code host identifies with each other. The person with an account remains, otherwise the
 * older one. Two accounts are not merged, since only their owners may decide that. The function is idempotent.
 */
export const uniteAlikePersons = (
  services: Services,
  { orgId, persons, source }: JobData['people.unite'],
): Promise<void> =>
  services.database.withOrg(orgId, async (tx) => {
    await lockPersons(tx, orgId);
    if (await isArchived(tx, orgId)) return;
    const [older, younger] = await currentPersons(tx, orgId, persons);
    if (older === undefined || younger === undefined) return;
    const accounts = await personsWithAccount(tx, orgId, [older.id, younger.id]);
    if (accounts.size === 2) return;
    const [into, from] = accounts.has(younger.id) ? [younger, older] : [older, younger];
    await unitePersons(services, tx, orgId, { from: from.id, into: into.id });
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: { integration: source },
      entry: {
        action: 'person.united',
        subject: { kind: 'person', id: into.id },
        data: { united: from.id, into: into.id },
        personal: { name: into.name, united: from.name },
      },
    });
  });

/** The current persons, the older one first; a single row if they are already merged. */
async function currentPersons(tx: Tx, orgId: string, persons: readonly string[]) {
  return tx.query<{ id: string; name: string }>({
    name: 'linking.standing',
    text: `select p.id, coalesce((
             select coalesce(i.display, i.value) from identity i where i.org_id = $1 and i.person_id = p.id and i.kind <> 'account'
             order by i.kind <> 'email', i.value limit 1), '') as name
           from person p where p.org_id = $1 and p.id in (
             select coalesce(merged_into, id) from person where org_id = $1 and id = any($2::uuid[]))
           order by p.created_at, p.id`,
    values: [orgId, persons],
  });
}

/** Publishes the merge for asynchronous updates. The function is idempotent. */
export const publishUnitedPersons = (services: Services, orgId: string, from: string, into: string): Promise<void> =>
  services.database.withOrg(orgId, (tx) =>
    services.topics.publish({ services, tx, orgId }, personsUnited, { from, into }),
  );
