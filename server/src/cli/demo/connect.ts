import { finalizeGithubInstall, initiateGithubInstall } from '@sightline/contract/sources/github.ts';
import {
  type ConnectableHost,
  connectHost,
  listHostWorkspaces,
  selectHostWorkspaces,
} from '@sightline/contract/sources/host-connections.ts';
import { connectScanner as connectTo, getScanner } from '@sightline/contract/sources/integrations.ts';
import { enableRepositories, listProviderRepos, listRepositories } from '@sightline/contract/sources/repositories.ts';
import { type DemoRun, waitUntil } from './demo-run.ts';

const IDLE_POLLS = 5;

/** Installs the GitHub app in the sandbox, and connects GitLab and Bitbucket with tokens. */
export async function connectHosts(run: DemoRun): Promise<void> {
  await installGithubApp(run);
  const { owners, tokens } = run.sandbox.content;
  await connectWithToken(run, 'gitlab', owners.gitlab, { token: tokens.gitlab });
  await connectWithToken(run, 'bitbucket', owners.bitbucket, { token: tokens.bitbucket, workspace: owners.bitbucket });
}

async function installGithubApp({ owner, sandbox: { content } }: DemoRun): Promise<void> {
  const { installationURL } = await owner.call(initiateGithubInstall, { query: {} });
  const state = new URL(installationURL).searchParams.get('state') ?? '';
  const form = { account: String(content.githubAccount), login: content.login, selection: 'all', state };
  const response = await fetch(installationURL, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...form, action: 'install' }),
  });
  const back = new URL(response.headers.get('location') ?? '', installationURL).searchParams;
  await owner.call(finalizeGithubInstall, {
    query: {
      installation_id: back.get('installation_id') ?? undefined,
      code: back.get('code') ?? undefined,
      setup_action: back.get('setup_action') ?? undefined,
      state,
    },
  });
}

async function connectWithToken(
  { owner }: DemoRun,
  provider: ConnectableHost,
  workspace: string,
  body: { token: string; workspace?: string },
): Promise<void> {
  const params = { provider };
  await owner.call(connectHost, { params, body });
  const offered = await owner.call(listHostWorkspaces, { params });
  const ids = offered.filter(({ path }) => path === workspace).map(({ id }) => id);
  await owner.call(selectHostWorkspaces, { params, body: { ids } });
}

/** Enables the repositories of the demo as soon as the hosts have listed them, and waits for their imports. */
export async function importRepositories(run: DemoRun): Promise<void> {
  const { owner, sandbox, report } = run;
  const wanted = sandbox.content.repositories.length;
  const chosen = await waitUntil('Listing the repositories', async () => {
    const { providerRepos } = await owner.call(listProviderRepos, {});
    const count = Object.values(providerRepos).flatMap((owners) => Object.values(owners ?? {}).flat()).length;
    return count >= wanted ? providerRepos : undefined;
  });
  await owner.call(enableRepositories, {
    body: {
      providerRepos: Object.fromEntries(
        Object.entries(chosen).map(([provider, owners]) => [
          provider,
          Object.fromEntries(
            Object.entries(owners).map(([name, all]) => [name, all.map(({ id }) => ({ id, tracked: true }))]),
          ),
        ]),
      ),
    },
  });
  await waitUntil('The import', async () => {
    const { rows } = await owner.call(listRepositories, { query: { perPage: 50 } });
    const imports = rows.flatMap((row) => row.import ?? []);
    const sum = (count: (one: (typeof imports)[number]) => number) => imports.reduce((all, one) => all + count(one), 0);
    const failed = imports.find(({ state }) => state === 'failed');
    if (failed) throw new Error(`A repository could not be imported: ${failed.error}`);
    report(`${sum((one) => one.commits.done)} commits, ${sum((one) => one.pullRequests.done)} pull requests`);
    return imports.length >= wanted && imports.every(({ state }) => state === 'done') ? true : undefined;
  });
}

/** Waits until every received webhook is processed and every change is recorded. */
export async function waitForChanges({ services, orgId, report }: DemoRun): Promise<void> {
  let idle = 0;
  await waitUntil('Recording changes', async () => {
    const [row] = await services.database.withOrg(orgId, (tx) =>
      tx.query<{ due: string; webhooks: string }>({
        name: 'demo.pending',
        text: `select (select count(*) from change_task where org_id = $1 and attempt = 0) as due,
                 (select count(*) from webhook_delivery where org_id = $1 and processed_at is null) as webhooks`,
        values: [orgId],
      }),
    );
    report(`${row?.due} changes and ${row?.webhooks} webhooks remain`);
    // A job may be about to queue the changes of an import.
    idle = Number(row?.due) + Number(row?.webhooks) === 0 ? idle + 1 : 0;
    return idle >= IDLE_POLLS ? true : undefined;
  });
}

/** Connects Checkmarx One and waits for its scans. */
export async function connectScanner({ owner, sandbox }: DemoRun): Promise<void> {
  const params = { scanner: 'checkmarx' } as const;
  const { tenant, apiKey } = sandbox.content.checkmarx;
  await owner.call(connectTo, { params, body: { tenant, apiKey, baseURL: sandbox.url } });
  await waitUntil('Reading the scans', async () => {
    const settings = await owner.call(getScanner, { params });
    return settings?.sync.finishedAt === null || settings?.sync.state !== 'idle' ? undefined : true;
  });
}
