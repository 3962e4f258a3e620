import type { Flag } from '@sightline/contract/core/flags.ts';
import type { Database } from '#database/database.ts';
import type { FlagSubject } from './flag-subject.ts';

export interface FlagReader {
  /** The setting of a flag for a subject by account, organization or globally, in this order. Undefined if not set. */
  of: (subject: FlagSubject | undefined) => Promise<(flag: Flag) => boolean | undefined>;
}

const CACHE_MS = 5_000;

/** Reads the flag settings of operators, cached for 5 seconds. */
export function createFlagReader(database: Database): FlagReader {
  const globalSettings = cached(() => readGlobal(database));
  const ofOrganization = cached((orgId) => readOrganization(database, orgId));
  return {
    async of(subject) {
      const { flags, accounts } = await globalSettings('');
      const set = subject?.orgId === undefined ? undefined : await ofOrganization(subject.orgId);
      return (flag) => accounts.get(`${subject?.accountId} ${flag}`) ?? set?.get(flag) ?? flags.get(flag);
    },
  };
}

function cached<Value>(read: (key: string) => Promise<Value>): (key: string) => Promise<Value> {
  const entries = new Map<string, { at: number; value: Promise<Value> }>();
  return (key) => {
    const found = entries.get(key);
    if (found && Date.now() - found.at < CACHE_MS) return found.value;
    const value = read(key);
    if (entries.size > 10_000) entries.clear();
    entries.set(key, { at: Date.now(), value });
    value.catch(() => entries.delete(key));
    return value;
  };
}

// Global and account settings are few, because operators set them manually.
const readGlobal = (database: Database) =>
  database.global(async ({ db }) => {
    const flags = await db.selectFrom('feature_flag').select(['name', 'enabled']).execute();
    const accounts = await db.selectFrom('account_flag').select(['account_id', 'name', 'enabled']).execute();
    return {
      flags: new Map(flags.map(({ name, enabled }) => [name, enabled])),
      accounts: new Map(accounts.map(({ account_id, name, enabled }) => [`${account_id} ${name}`, enabled])),
    };
  });

const readOrganization = (database: Database, orgId: string) =>
  database.withOrg(orgId, async ({ db }) => {
    const rows = await db
      .selectFrom('organization_flag')
      .select(['name', 'enabled'])
      .where('org_id', '=', orgId)
      .execute();
    return new Map(rows.map(({ name, enabled }) => [name, enabled]));
  });
