import { z } from 'zod';
import type { GithubConfig } from '#config.ts';
import { HostRefused } from '#providers/code-host.ts';
import type { GithubClients } from './client.ts';
import { readPages } from './reads.ts';
import { hostId, time } from './shapes.ts';

/** An installation of the app on an account of GitHub. */
export interface GithubInstallation {
  id: string;
  accountLogin: string;
  /** The URL of its settings page. */
  htmlUrl: string;
  suspendedAt: string | null;
  permissions: Record<string, string>;
}

export interface GithubInstallations {
  /** The page to install the app. The redirect afterwards contains `state`. */
  installationUrl: (state: string) => string;
  /** Reads an installation. Throws HostRefused 404 if it does not exist. */
  getInstallation: (id: string) => Promise<GithubInstallation>;
  /** Uninstalls the app, which revokes its tokens. Does nothing if it is already uninstalled. */
  uninstall: (id: string) => Promise<void>;
  /** Changes the webhook secret of the app on GitHub. */
  setWebhookSecret: (secret: string) => Promise<void>;
  /** Exchanges the code of a redirect for a user token. Throws HostRefused for an invalid or used code. */
  exchangeCode: (code: string) => Promise<string>;
  /** The IDs of the installations of the app that a user can access. */
  listUserInstallations: (userToken: string) => Promise<string[]>;
}

const installation = z.object({
  id: hostId,
  // An account, or an enterprise with a slug instead of a login.
  account: z.object({ login: z.string().nullish(), slug: z.string().nullish() }).nullish(),
  html_url: z.string(),
  suspended_at: time.nullish(),
  permissions: z.record(z.string(), z.string()).default({}),
});

const token = z.object({ access_token: z.string().min(1) });
const refusedCode = z.object({ error: z.string(), error_description: z.string().nullish() });
const userInstallations = z.object({ installations: z.array(z.object({ id: hostId })) });

export function createInstallations(
  config: GithubConfig,
  { asApp, asUser, asNobody }: GithubClients,
): GithubInstallations {
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

/** Parses an installation of the API or of a webhook. Throws ZodError for anything else. */
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
