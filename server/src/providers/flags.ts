import { type Flag, flagDefaults, flagNames } from '@sightline/contract/core/flags.ts';
import type { FlagUsage, Toggle } from '@sightline/contract/identity/feature-flags.ts';
import type { Memberships } from '#core/actor.ts';
import type { Database } from '#database/database.ts';
import type { FlagSubject } from './flag-subject.ts';
import { createFlagReader } from './flag-table.ts';
import type { Unleash } from './unleash.ts';

export interface Flags {
  /** `subject`: undefined for the global setting. */
  isOn: (flag: Flag, subject: FlagSubject | undefined) => Promise<boolean>;
  /** The enabled flags in the format of Unleash. */
  listOn: (subject: FlagSubject | undefined) => Promise<Toggle[]>;
  /** Forwards usage metrics to a connected Unleash. Never throws. */
  passOn: (usage: FlagUsage) => Promise<void>;
}

/**
 * Flags from a connected Unleash. Without one, or until its first response, from the settings of operators and the
 * defaults. Used by both the UI and the API, so that they agree.
 */
export function createFlags(database: Database, memberships: Memberships, unleash: Unleash | undefined): Flags {
  const table = createFlagReader(database);

  async function listOn(requested: FlagSubject | undefined): Promise<Toggle[]> {
    const subject = await verified(memberships, requested);
    const toggles = await unleash?.listOn(subject);
    if (toggles) return toggles;
    const find = await table.of(subject);
    return flagNames.filter((name) => find(name) ?? flagDefaults[name]).map(enabledToggle);
  }

  return {
    listOn,
    isOn: async (flag, subject) => (await listOn(subject)).some(({ name }) => name === flag),
    passOn: async (usage) => unleash?.passOn(usage),
  };
}

const enabledToggle = (name: Flag): Toggle => ({
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
