import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { GithubConfig } from '#config.ts';
import type { Secrets } from '#core/secrets.ts';
import { previousSecretMinutes } from '#core/signatures.ts';
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
  /**
   * Has GitHub sign with a new secret, once every process accepts it. Answers false where no app is kept here: one of the environment
   * is the operator's to change. Called again after a failure, it goes on with the same secret.
   */
  rotateWebhookSecret: () => Promise<boolean>;
}

const freshFor = 5_000;
const kept = z.object({
  appId: z.string(),
  slug: z.string(),
  privateKey: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  webhookSecret: z.string(),
  previousWebhookSecret: z.string().optional(),
  previousUntil: z.coerce.date().nullish(),
});
type KeptSettings = z.output<typeof kept>;

export function createGithubApps(
  config: GithubConfig | undefined,
  place: GithubPlace,
  database: Database,
  secrets: Secrets,
): GithubApps {
  const ofEnvironment = config && createGithub(config);
  let found: { github: Github; text: string } | undefined;
  let asked = 0;
  let asking: Promise<void> | undefined;

  const textOf = (row: { app_id: string; settings: Buffer }) =>
    secrets.open(placeOf(row.app_id), row.settings).toString();
  const seal = (settings: AppSettings | KeptSettings) =>
    secrets.seal(placeOf(settings.appId), Buffer.from(JSON.stringify(settings)));

  const look = async () => {
    const row = await database.global((tx) => maybeApp(tx));
    asked = Date.now();
    const text = row && textOf(row);
    // A client keeps tokens: another takes its place only where the settings changed.
    if (text === undefined || text === found?.text) return;
    const { previousUntil = null, ...settings } = kept.parse(JSON.parse(text));
    found = { text, github: createGithub({ ...place, ...settings, previousUntil, sandbox: false }) };
  };

  const change = (make: (settings: KeptSettings) => KeptSettings): Promise<KeptSettings | undefined> =>
    database.global(async (tx) => {
      const row = await maybeApp(tx, true);
      if (!row) return undefined;
      const settings = make(kept.parse(JSON.parse(textOf(row))));
      await tx.db
        .updateTable('github_app')
        .set({ settings: seal(settings) })
        .where('app_id', '=', row.app_id)
        .execute();
      return settings;
    });

  return {
    place,
    async find() {
      if (ofEnvironment) return ofEnvironment;
      if (Date.now() - asked < freshFor) return found?.github;
      asking ??= look().finally(() => {
        asking = undefined;
      });
      await asking;
      return found?.github;
    },
    async keep(tx, settings) {
      // Two at the same moment: the second waits here, and finds the first.
      await tx.query({ name: '', text: 'lock table github_app in share row exclusive mode', values: [] });
      if (ofEnvironment || (await maybeApp(tx))) return false;
      const { appId } = settings;
      const sealed = seal(settings);
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
    async rotateWebhookSecret() {
      if (ofEnvironment) return false;
      const settings = await change((now) => {
        const isUnfinished = now.previousWebhookSecret !== undefined && now.previousUntil === null;
        return isUnfinished
          ? now
          : {
              ...now,
              webhookSecret: randomBytes(32).toString('hex'),
              previousWebhookSecret: now.webhookSecret,
              previousUntil: null,
            };
      });
      if (!settings) return false;
      await sleep(freshFor + 1_000);
      await createGithub({ ...place, ...settings, sandbox: false }).setWebhookSecret(settings.webhookSecret);
      const previousUntil = new Date(Date.now() + previousSecretMinutes * 60_000);
      await change((now) => ({ ...now, previousUntil }));
      return true;
    },
  };
}

const maybeApp = async ({ db }: Tx, lock = false) => {
  const row = await db
    .selectFrom('github_app')
    .where('settings', 'is not', null)
    .select(['app_id', 'settings'])
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row?.settings ? { app_id: row.app_id, settings: row.settings } : undefined;
};

const placeOf = (appId: string) => ({ org: '-', table: 'github_app', field: `settings of ${appId}` });
