import type { Tx } from '#database/database.ts';
import type { ErasureContext } from './erasure-context.ts';
import { erasedName, erasedPlaceholder } from './scrub.ts';

/** Deletes or clears the rows that belong to the person, regardless of the names in them. */
export const eraseOwnRows = ({ services, orgId, persons, accountId, emails }: ErasureContext): Promise<number> =>
  services.erasure.withOrg(orgId, async (tx) => {
    let rows = 0;
    const run = async (text: string, ...values: unknown[]) => {
      rows += await countChanged(tx, text, [orgId, ...values]);
    };
    for (const text of personStatements) await run(text, persons);
    await run(
      `update commit set committer_name = '${erasedName}', committer_email = '', committer_login = null
       where org_id = $1 and lower(committer_email) = any($2::text[])`,
      emails,
    );
    await run('delete from invitation where org_id = $1 and lower(email) = any($2::text[])', emails);
    if (accountId !== null) for (const text of accountStatements) await run(text, accountId);
    return rows;
  });

const nameSql = `'${erasedName}'`;
const wordSql = `'${erasedPlaceholder}'`;
const personStatements = [
  `update commit set author_name = ${nameSql}, author_email = '', author_login = null where org_id = $1 and author_person = any($2::uuid[])`,
  `update contributor set name = ${nameSql}, email = '', login = null where org_id = $1 and person_id = any($2::uuid[])`,
  `update pull_request set author_login = ${wordSql}, author_avatar = null where org_id = $1 and author_person = any($2::uuid[])`,
  `update review set login = ${wordSql} where org_id = $1 and person_id = any($2::uuid[])`,
  'delete from mailmap_link where org_id = $1 and (person_id = any($2::uuid[]) or same_as = any($2::uuid[]))',
  'delete from contributor_merge where org_id = $1 and (person_id = any($2::uuid[]) or other_id = any($2::uuid[]))',
  `update access_holder set name = ${wordSql}, host_id = null where org_id = $1 and kind = 'person' and person_id = any($2::uuid[])`,
  `update access_holder set name = ${wordSql} where org_id = $1 and kind = 'key' and person_id = any($2::uuid[])`,
  'delete from directory_user where org_id = $1 and person_id = any($2::uuid[])',
  'delete from snapshot_name where org_id = $1 and person_id = any($2::uuid[])',
  'delete from commit_key where org_id = $1 and person_id = any($2::uuid[])',
  `update tool_detection set changed_by = null where org_id = $1 and changed_person = any($2::uuid[])`,
  `update tool_detection set added_by = null where org_id = $1 and person_id = any($2::uuid[])`,
];
const accountStatements = [
  'delete from extension_session where org_id = $1 and account_id = $2',
  'delete from extension_code where org_id = $1 and account_id = $2',
  'delete from extension_grant where org_id = $1 and account_id = $2',
  'delete from notification_outbox where org_id = $1 and account_id = $2',
  'delete from notification_digest where org_id = $1 and account_id = $2',
  'delete from notification_setting where org_id = $1 and account_id = $2',
  'delete from chat_target where org_id = $1 and account_id = $2',
  'delete from notification where org_id = $1 and account_id = $2',
  'delete from finding_seen where org_id = $1 and account_id = $2',
  'delete from install_state where org_id = $1 and account_id = $2',
  'delete from access_key where org_id = $1 and account_id = $2',
  'delete from group_given_role where org_id = $1 and account_id = $2',
  'delete from saved_view where org_id = $1 and account_id = $2 and not shared',
  // Clears address and browser. Without the key, their commitments in the ledger cannot be checked.
  `update audit_event set personal = '{}', address = null where org_id = $1 and actor_kind = 'account' and actor_id = $2::uuid::text`,
];

/** Deletes the bodies of all processed webhook deliveries, which retention would delete within days. */
export const deleteWebhookBodies = ({ services, orgId }: ErasureContext): Promise<number> =>
  services.erasure.withOrg(orgId, (tx) =>
    countChanged(
      tx,
      `update webhook_delivery set body = '', packed = null, body_deleted_at = now()
       where org_id = $1 and processed_at is not null and body_deleted_at is null`,
      [orgId],
    ),
  );

async function countChanged(tx: Tx, text: string, values: unknown[]): Promise<number> {
  const [row] = await tx.query<{ n: number }>({
    name: '',
    text: `with changed as (${text} returning 1) select count(*)::int as n from changed`,
    values,
  });
  return row?.n ?? 0;
}
