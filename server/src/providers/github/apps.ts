import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { GithubConfig } from '#config.ts';
import type { Secrets } from '#core/secrets.ts';
import { previousSecretMinutes } from '#core/signatures.ts';
import type { Database, Tx } from '#database/database.ts';
import type { AppSettings, GithubUrls } from './app-manifest.ts';
import { createGithub, type Github } from './github.ts';

/** The GitHub app of this server, from the environment or created on the setup page and stored encrypted. */
export interface GithubApps {
  place: GithubUrls;
  /** The app; undefined if there is none. Finds an app of another process within 5 seconds. */
  find: () => Promise<Github | undefined>;
  /** Stores a new app. Returns false if there is one already, which remains. */
  keep: (tx: Tx, settings: AppSettings) => Promise<boolean>;
  /**
   * Rotates the webhook secret on GitHub after all processes accept the new one. Returns false without a stored app:
   * the operator rotates the secret of an app in the environment. A retry after a failure continues with the same
   * secret.
   */
  rotateWebhookSecret: () => Promise<boolean>;
}

const CACHE_MS = 5_000;
const storedSettings = z.object({
  appId: z.string(),
  slug: z.string(),
  privateKey: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  webhookSecret: z.string(),
  previousWebhookSecret: z.string().optional(),
  previousUntil: z.coerce.date().nullish(),
});
type StoredSettings = z.output<typeof storedSettings>;

export function createGithubApps(
  config: GithubConfig | undefined,
  place: GithubUrls,
  database: Database,
  secrets: Secrets,
): GithubApps {
  const ofEnvironment = config && createGithub(config);
  let found: { github: Github; text: string } | undefined;
  let readAt = 0;
  let reading: Promise<void> | undefined;

  const textOf = (row: { app_id: string; settings: Buffer }) =>
    secrets.open(settingsLocation(row.app_id), row.settings).toString();
  const seal = (settings: AppSettings | StoredSettings) =>
    secrets.seal(settingsLocation(settings.appId), Buffer.from(JSON.stringify(settings)));

  const refresh = async () => {
    const row = await database.global((tx) => maybeApp(tx));
    readAt = Date.now();
    const text = row && textOf(row);
    // Keeps the client and its tokens unless the settings changed.
    if (text === undefined || text === found?.text) return;
    const { previousUntil = null, ...settings } = storedSettings.parse(JSON.parse(text));
    found = { text, github: createGithub({ ...place, ...settings, previousUntil, sandbox: false }) };
  };

  const change = (make: (settings: StoredSettings) => StoredSettings): Promise<StoredSettings | undefined> =>
    database.global(async (tx) => {
      const row = await maybeApp(tx, true);
      if (!row) return undefined;
      const settings = make(storedSettings.parse(JSON.parse(textOf(row))));
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
      if (Date.now() - readAt < CACHE_MS) return found?.github;
      reading ??= refresh().finally(() => {
        reading = undefined;
      });
      await reading;
      return found?.github;
    },
    async keep(tx, settings) {
      // With concurrent calls, the second waits here and then finds the first app.
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
        readAt = 0;
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
      await sleep(CACHE_MS + 1_000);
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

const settingsLocation = (appId: string) => ({ org: '-', table: 'github_app', field: `settings of ${appId}` });
