import { type Flag, flagDefaults, flagNames } from '@sightline/contract/core/flags.ts';
import type { FlagUsage, Toggle } from '@sightline/contract/identity/feature-flags.ts';
import type { Memberships } from '#core/actor.ts';
import type { Database } from '#database/database.ts';
import type { FlagSubject } from './flag-subject.ts';
import { createFlagTable } from './flag-table.ts';
import type { Unleash } from './unleash.ts';

export interface Flags {
  /** Undefined: for nobody in particular. */
  isOn: (flag: Flag, subject: FlagSubject | undefined) => Promise<boolean>;
  /** What is on, in Unleash's words. */
  listOn: (subject: FlagSubject | undefined) => Promise<Toggle[]>;
  /** Tells a connected Unleash how often flags were asked for; never fails. */
  passOn: (usage: FlagUsage) => Promise<void>;
}

/**
 * Flags from a connected Unleash; without one, or while it never answered, from our own table over the defaults. Both
 * the pages and the guard of the API ask here, so that they agree.
 */
export function createFlags(database: Database, memberships: Memberships, unleash: Unleash | undefined): Flags {
  const table = createFlagTable(database);

  async function listOn(given: FlagSubject | undefined): Promise<Toggle[]> {
    const subject = await verified(memberships, given);
    const answered = await unleash?.listOn(subject);
    if (answered) return answered;
    const find = await table.of(subject);
    return flagNames.filter((name) => find(name) ?? flagDefaults[name]).map(plain);
  }

  return {
    listOn,
    isOn: async (flag, subject) => (await listOn(subject)).some(({ name }) => name === flag),
    passOn: async (usage) => unleash?.passOn(usage),
  };
}

const plain = (name: Flag): Toggle => ({
  name,
  enabled: true,
  variant: { name: 'disabled', enabled: false, feature_enabled: true },
  impressionData: false,
});

async function verified(memberships: Memberships, subject: FlagSubject | undefined): Promise<FlagSubject | undefined> {
  if (subject?.orgId === undefined || subject.isKey) return subject;
  const member = await memberships.find(subject.orgId, subject.accountId);
  return member ? subject : { accountId: subject.accountId };
}
