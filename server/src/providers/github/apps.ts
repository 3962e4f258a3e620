import { z } from 'zod';
import type { GithubConfig } from '#config.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Database, Tx } from '#database/database.ts';
import type { AppSettings, GithubPlace } from './app-manifest.ts';
import { createGithub, type Github } from './github.ts';

/** The one GitHub app of this installation: given in the environment, or made from the page and kept sealed. */
export interface GithubApps {
  place: GithubPlace;
  /** Undefined while there is none. One that another process made is found within 5 seconds. */
  find: () => Promise<Github | undefined>;
  /** Keeps a new app; answers false where there is one already, which stays. */
  keep: (tx: Tx, settings: AppSettings) => Promise<boolean>;
}

const freshFor = 5_000;
const kept = z.object({
  ...{ appId: z.string(), slug: z.string(), privateKey: z.string() },
  ...{ clientId: z.string(), clientSecret: z.string(), webhookSecret: z.string() },
});

export function createGithubApps(
  config: GithubConfig | undefined,
  place: GithubPlace,
  database: Database,
  secrets: Secrets,
): GithubApps {
  let known = config && createGithub(config);
  let asked = 0;
  let asking: Promise<void> | undefined;

  const look = async () => {
    const row = await database.global(maybeApp);
    asked = Date.now();
    if (!row?.settings) return;
    const settings = kept.parse(JSON.parse(secrets.open(placeOf(row.app_id), row.settings).toString()));
    known ??= createGithub({ ...place, ...settings, sandbox: false });
  };

  return {
    place,
    async find() {
      if (known || Date.now() - asked < freshFor) return known;
      asking ??= look().finally(() => {
        asking = undefined;
      });
      await asking;
      return known;
    },
    async keep(tx, settings) {
      // Two at the same moment: the second waits here, and finds the first.
      await tx.query({ name: '', text: 'lock table github_app in share row exclusive mode', values: [] });
      if (known || (await maybeApp(tx))) return false;
      const { appId } = settings;
      const sealed = secrets.seal(placeOf(appId), Buffer.from(JSON.stringify(settings)));
      await tx.db
        .insertInto('github_app')
        .values({ app_id: appId, settings: sealed })
        .onConflict((conflict) => conflict.column('app_id').doUpdateSet({ settings: sealed }))
        .execute();
      tx.afterCommit(() => {
        asked = 0;
      });
      return true;
    },
  };
}

const maybeApp = ({ db }: Tx) =>
  db.selectFrom('github_app').where('settings', 'is not', null).select(['app_id', 'settings']).executeTakeFirst();

const placeOf = (appId: string) => ({ org: '-', table: 'github_app', field: `settings of ${appId}` });
