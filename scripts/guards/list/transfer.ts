import { type Mutation, mutation } from '../guard.ts';

const transfer = 'server/src/cli/transfer';
const core = 'server/src/database/migrations/0001-core.sql';
const tests = 'cli/transfer/transfer.test.ts';

export const transferGuards: readonly Mutation[] = [
  mutation(
    'refuses transactions of an organization that moved',
    core,
    'if new_address is not null then',
    'if false then',
    tests,
  ),
  mutation(
    'lets only the owner of the schema omit triggers',
    core,
    "coalesce(current_setting('app.importing', true), '') = 'on'\n    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = 'moved_organization'::regclass)",
    "coalesce(current_setting('app.importing', true), '') = 'on'",
    tests,
  ),
  mutation(
    'waits for earlier transactions before an organization is exported',
    `${transfer}/close.ts`,
    'if (running.rows[0]?.count === 0) return;',
    'return;',
    tests,
  ),
  mutation(
    'merges only accounts whose address is confirmed on both sides',
    `${transfer}/insert-accounts.ts`,
    'a.email_verified_at is null or m.email_verified_at is null',
    'm.email_verified_at is null',
    tests,
  ),
  mutation(
    'imports no permission of operators',
    `${transfer}/insert-accounts.ts`,
    "    is_operator: 'false',\n",
    '',
    tests,
  ),
  mutation(
    'imports only an export for this address',
    'server/src/cli/move-organization.ts',
    'if (source.manifest.to !== PUBLIC_URL)',
    'if (PUBLIC_URL === undefined)',
    tests,
  ),
  mutation(
    'deletes only the rows of an organization that moved',
    `${transfer}/delete.ts`,
    'if (movedTo === null)',
    'if (movedTo === undefined)',
    tests,
  ),
  mutation(
    'deletes tiles of the ledger only of an organization that moved',
    'server/src/database/migrations/0005-ledger.sql',
    'where m.id = old.org_id) then',
    'where m.id <> old.org_id) then',
    tests,
  ),
  mutation(
    'deletes moved rows only after a confirmation',
    'server/src/cli/move-organization.ts',
    'if (!options.imported)',
    'if (options.imported === undefined)',
    tests,
  ),
];
