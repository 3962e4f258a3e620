import { type Flag, flagDefaults } from '@sightline/contract/flags.ts';
import type { Database } from '#database/database.ts';

export interface Flags {
  isOn: (flag: Flag) => Promise<boolean>;
}

const freshFor = 5_000;

/** Flags from our own table over the defaults of a fresh installation, re-read every 5 seconds at most. */
export function createFlags(database: Database): Flags {
  let read: Promise<Map<string, boolean>> | undefined;
  let at = 0;
  return {
    async isOn(flag) {
      if (!read || Date.now() - at > freshFor) {
        at = Date.now();
        read = readFlags(database);
        read.catch(() => {
          read = undefined;
        });
      }
      return (await read).get(flag) ?? flagDefaults[flag];
    },
  };
}

const readFlags = (database: Database) =>
  database.global(async ({ db }) => {
    const rows = await db.selectFrom('feature_flag').select(['name', 'enabled']).execute();
    return new Map(rows.map((row) => [row.name, row.enabled]));
  });
