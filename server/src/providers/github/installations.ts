import { z } from 'zod';
import type { GithubConfig } from '#config.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { Clients } from './client.ts';
import { readPages } from './reads.ts';
import { hostId, time } from './shapes.ts';

/** The app on one account of GitHub. */
export interface GithubInstallation {
  id: string;
  accountLogin: string;
  /** Its settings, for people. */
  htmlUrl: string;
  suspendedAt: string | null;
  permissions: Record<string, string>;
}

export interface Installations {
  /** Where a person installs the app; `state` comes back with them. */
  installationUrl: (state: string) => string;
  /** Throws HostRefused 404 where no such installation of this app exists. */
  getInstallation: (id: string) => Promise<GithubInstallation>;
  /** Takes the app off an account; its tokens are good for nothing from then on. Does nothing where it is gone already. */
  uninstall: (id: string) => Promise<void>;
  /** Has GitHub sign the webhooks of the app with this secret. */
  setWebhookSecret: (secret: string) => Promise<void>;
  /** Turns the code a browser brought into that person's token. Throws HostRefused for a code that is wrong or spent. */
  exchangeCode: (code: string) => Promise<string>;
  /** The ids of this app's installations that a person may see. */
  listUserInstallations: (userToken: string) => Promise<string[]>;
}

const installation = z.object({
  id: hostId,
  // An account, or an enterprise, which has a slug instead of a login.
  account: z.object({ login: z.string().nullish(), slug: z.string().nullish() }).nullish(),
  html_url: z.string(),
  suspended_at: time.nullish(),
  permissions: z.record(z.string(), z.string()).default({}),
});

const token = z.object({ access_token: z.string().min(1) });
const refusedCode = z.object({ error: z.string(), error_description: z.string().nullish() });
const userInstallations = z.object({ installations: z.array(z.object({ id: hostId })) });

export function createInstallations(config: GithubConfig, { asApp, asUser, asNobody }: Clients): Installations {
  return {
    installationUrl(state) {
      const apps = config.url === 'https://github.com' ? 'apps' : 'github-apps';
      const url = new URL(`${config.url}/${apps}/${config.slug}/installations/new`);
      url.searchParams.set('state', state);
      return url.href;
    },

    async getInstallation(id) {
      return installationFrom((await asApp('GET /app/installations/{id}', { id })).data);
    },

    async uninstall(id) {
      await asApp('DELETE /app/installations/{id}', { id }).catch((error: unknown) => {
        if (!(error instanceof HostRefused && error.status === 404)) throw error;
      });
    },

    async setWebhookSecret(secret) {
      await asApp('PATCH /app/hook/config', { secret });
    },

    async exchangeCode(code) {
      const { clientId, clientSecret, url } = config;
      const { data } = await asNobody(`POST ${url}/login/oauth/access_token`, {
        client_id: clientId,
        client_secret: clientSecret,
        code,
        headers: { accept: 'application/json' },
      });
      const refused = refusedCode.safeParse(data);
      if (refused.success) throw new HostRefused(400, `GitHub took no code: ${refused.data.error}`);
      return token.parse(data).access_token;
    },

    async listUserInstallations(userToken) {
      const ids: string[] = [];
      for await (const { data } of readPages(asUser(userToken), 'GET /user/installations')) {
        ids.push(...userInstallations.parse(data).installations.map(({ id }) => id));
      }
      return ids;
    },
  };
}

/** An installation of the API or of a webhook. Throws ZodError for anything else. */
export function installationFrom(json: unknown): GithubInstallation {
  const { id, account, html_url, suspended_at, permissions } = installation.parse(json);
  return {
    id,
    accountLogin: account?.login ?? account?.slug ?? '',
    htmlUrl: html_url,
    suspendedAt: suspended_at ?? null,
    permissions,
  };
}
