import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ApiCall, createClient } from '@sightline/contract/core/client.ts';
import { finalizeGithubInstall, initiateGithubInstall } from '@sightline/contract/sources/github.ts';
import {
  enableRepositories,
  listProviderRepos,
  listRepositories,
  type RepositoryListItem,
} from '@sightline/contract/sources/repositories.ts';
import pg from 'pg';
import { createInstallation, type Installation } from '../server/src/cli/testing/installation.ts';
import { freePort } from '../server/src/testing/free-port.ts';
import { type BenchCodeHost, startBenchCodeHost } from './code-host.ts';
import type { HistoryTotals } from './histories.ts';

/** An installation that imports repositories from its own code host, through the API as users do. */
export interface IntakeScene {
  host: BenchCodeHost;
  installation: Installation;
  environment: Record<string, string>;
  orgId: string;
  call: ApiCall;
  /** Enables these repositories, which starts their imports. */
  enable: (names: readonly string[]) => Promise<void>;
  /** Lists all enabled repositories as the API returns them. */
  list: () => Promise<RepositoryListItem[]>;
  /** Returns the totals in the database by repository name. */
  stored: () => Promise<Map<string, HistoryTotals>>;
  /** Kills the server and starts it again. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
}

export interface IntakeSceneOptions {
  paths: readonly string[];
  folder: string;
  requestsPerHour: number;
}

const owner = 'owner@example.org';

export async function createIntakeScene(options: IntakeSceneOptions): Promise<IntakeScene> {
  const { paths, folder, requestsPerHour } = options;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const host = await startBenchCodeHost({ repositories: paths, folder, server: url, requestsPerHour });
  const environment = { ...host.environment, PORT: String(port), PUBLIC_URL: url, LOG_LEVEL: 'error' };
  const installation = await createInstallation(environment);
  let server = await installation.start();
  await installation.ask('user', 'create', '--email', owner, '--name', 'Olga Owner', '--verified');
  const { organization } = await installation.ask<{ organization: { id: string } }>(
    ...['org', 'create', '--name', 'Acme', '--owner', owner],
  );
  const token = await createTokens(installation, organization.id);
  const call = createClient({ baseUrl: `${url}/api`, token });
  await connect(call);
  return {
    host,
    installation,
    environment,
    orgId: organization.id,
    call,
    async enable(names) {
      const { providerRepos } = await call(listProviderRepos, {});
      const chosen = Object.entries(providerRepos.github ?? {}).map(([account, list]) => [
        account,
        list.filter(({ name }) => names.includes(name)).map(({ id }) => ({ id, tracked: true })),
      ]);
      await call(enableRepositories, { body: { providerRepos: { github: Object.fromEntries(chosen) } } });
    },
    async list() {
      const found: RepositoryListItem[] = [];
      for (let page = 1; ; page += 1) {
        const { rows, total } = await call(listRepositories, { query: { page, perPage: 100, sort: 'name-asc' } });
        found.push(...rows);
        if (rows.length === 0 || found.length >= total) return found;
      }
    },
    stored: () => readStored(installation),
    async restart() {
      await server.end('SIGKILL');
      server = await installation.start();
    },
    async close() {
      await installation.close();
      host.stop();
    },
  };
}

export const repositoryNameOf = (path: string): string => basename(path);

/** Calls `met` until it returns true. Throws after `minutes`. */
export async function waitUntil(subject: string, minutes: number, met: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + minutes * 60_000;
  for (;;) {
    const isMet = await met().catch(() => false);
    if (isMet) return;
    if (performance.now() > end) throw new Error(`After ${minutes} minutes: ${subject}`);
    await delay(300);
  }
}

/** Renews tokens: a token is valid for an hour, and the longest runs take more. */
async function createTokens(installation: Installation, orgId: string): Promise<() => Promise<string>> {
  const issue = async () =>
    (await installation.ask<{ token: string }>('token', '--email', owner, '--org', orgId, '--minutes', '60')).token;
  let [token, issuedAt] = [await issue(), performance.now()];
  return async () => {
    if (performance.now() - issuedAt > 45 * 60_000) {
      const fresh = await issue().catch(() => undefined);
      if (fresh !== undefined) [token, issuedAt] = [fresh, performance.now()];
    }
    return token;
  };
}

/** Installs the app on the only account of the sandbox through its pages, as users do. */
async function connect(call: ApiCall): Promise<void> {
  const { installationURL } = await call(initiateGithubInstall, {});
  const install = new URL(installationURL);
  const page = await (await fetch(install)).text();
  const [, account = ''] = /name="account" value="(\d+)"/.exec(page) ?? [];
  const [, login = ''] = /<option value="([^"]+)"/.exec(page) ?? [];
  const state = install.searchParams.get('state') ?? '';
  const answer = await fetch(install, {
    method: 'POST',
    body: new URLSearchParams({ account, login, selection: 'all', action: 'install', state }),
    redirect: 'manual',
  });
  const back = new URL(answer.headers.get('location') ?? '').searchParams;
  const query = { installation_id: back.get('installation_id') ?? '', code: back.get('code') ?? '', state };
  await call(finalizeGithubInstall, { query });
}

async function readStored(installation: Installation): Promise<Map<string, HistoryTotals>> {
  const client = new pg.Client({ connectionString: await installation.databaseUrl() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<HistoryTotals & { name: string }>(
      `select r.name, coalesce(c.commits, 0)::int as commits, coalesce(c.files, 0)::int as "changedFiles",
         (select count(*)::int from pull_request p where p.org_id = r.org_id and p.repository_id = r.id) as "pullRequests"
       from repository r left join (
         select repository_id, count(*) as commits,
           sum(case when jsonb_typeof(files) = 'array' then jsonb_array_length(files) end) as files
         from commit group by repository_id) c on c.repository_id = r.id
       where r.tracked`,
    );
    return new Map(rows.map(({ name, ...totals }) => [name, totals]));
  } finally {
    await client.end();
  }
}
