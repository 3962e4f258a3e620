import type { Flag } from '@sightline/contract/core/flags.ts';
import type { Database } from '#database/database.ts';
import type { FlagSubject } from './flag-subject.ts';

export interface FlagTable {
  /** What operators set for a subject, the narrowest first: account, organization, everybody. Undefined: nothing. */
  of: (subject: FlagSubject | undefined) => Promise<(flag: Flag) => boolean | undefined>;
}

const freshFor = 5_000;

/** Our own flags, each question re-read every 5 seconds at most. */
export function createFlagTable(database: Database): FlagTable {
  const everybody = remember(() => readEverybody(database));
  const ofOrganization = remember((orgId) => readOrganization(database, orgId));
  return {
    async of(subject) {
      const { flags, accounts } = await everybody('');
      const set = subject?.orgId === undefined ? undefined : await ofOrganization(subject.orgId);
      return (flag) => accounts.get(`${subject?.accountId} ${flag}`) ?? set?.get(flag) ?? flags.get(flag);
    },
  };
}

function remember<Answer>(read: (key: string) => Promise<Answer>): (key: string) => Promise<Answer> {
  const known = new Map<string, { at: number; answer: Promise<Answer> }>();
  return (key) => {
    const found = known.get(key);
    if (found && Date.now() - found.at < freshFor) return found.answer;
    const answer = read(key);
    if (known.size > 10_000) known.clear();
    known.set(key, { at: Date.now(), answer });
    answer.catch(() => known.delete(key));
    return answer;
  };
}

// Both by hand of operators, and few.
const readEverybody = (database: Database) =>
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
