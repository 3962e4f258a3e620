import { execFile, fork, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient } from '@sightline/contract/core/client.ts';
import { enableRepositories, getRepository } from '@sightline/contract/sources/repositories.ts';
import pg from 'pg';
import { pagesOf } from '../server/src/providers/code-host.ts';
import { createGithub } from '../server/src/providers/github/github.ts';
import { type BenchServer, startServer } from './process.ts';
import { printReport } from './report.ts';

const commits = Number(process.env.BENCH_COMMITS ?? 5_000);

/** Measures the import of a repository from the sandbox over HTTP into the database: every commit with its files. */
export async function benchBackfill(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-bench-repo-'));
  const path = join(folder, 'large');
  await makeRepository(path);
  const sandbox = fork(
    new URL('../sandbox/src/main.ts', import.meta.url),
    ['--repo', path, '--port', '0', '--rate-limit', '1000000', '--data', join(folder, 'app')],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    },
  );
  const app = await new Promise<Record<string, string>>((resolve) =>
    sandbox.once('message', (said) => resolve(said as never)),
  );
  const server = await startServer({
    GITHUB_URL: String(app.url),
    GITHUB_APP_ID: String(app.appId),
    GITHUB_APP_SLUG: String(app.appSlug),
    GITHUB_APP_PRIVATE_KEY: String(app.privateKeyPem),
    GITHUB_APP_CLIENT_ID: String(app.clientId),
    GITHUB_APP_CLIENT_SECRET: String(app.clientSecret),
    GITHUB_WEBHOOK_SECRET: String(app.webhookSecret),
  });
  try {
    const answer = await fetch(`${app.url}/_sandbox/install`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const { id } = (await answer.json()) as { id: number };
    const seconds = await importAll(server, String(id));
    printReport('backfill', [
      { name: `${commits} commits, 10 % merged pull requests`, ...seconds },
      { name: 'ceiling: the same answers read and thrown away', 'all after s': await readAll(app, String(id)) },
    ]);
  } finally {
    await server.stop();
    sandbox.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Sends the requests of an import through the same client with the same concurrency and drops the responses. Returns
 * seconds.
 */
async function readAll(app: Record<string, string>, installationId: string): Promise<number> {
  const host = createGithub({
    url: String(app.url),
    apiUrl: String(app.apiUrl),
    appId: String(app.appId),
    slug: String(app.appSlug),
    privateKey: String(app.privateKeyPem),
    clientId: String(app.clientId),
    clientSecret: String(app.clientSecret),
    webhookSecret: String(app.webhookSecret),
    sandbox: true,
  });
  const ref = { installationId, owner: 'sandbox', name: 'large' };
  const started = performance.now();
  const requests: (() => Promise<unknown>)[] = [];
  for await (const items of pagesOf((page) => host.listCommits(ref, 'main', page))) {
    requests.push(
      ...items.map(
        ({ sha }) =>
          () =>
            host.getCommit(ref, sha),
      ),
    );
  }
  for await (const items of pagesOf((page) => host.listPullRequests(ref, page))) {
    requests.push(
      ...items.map(
        ({ number }) =>
          () =>
            host.getPullRequest(ref, number),
      ),
    );
  }
  const worker = async () => {
    for (let send = requests.pop(); send; send = requests.pop()) await send();
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return Number(((performance.now() - started) / 1000).toFixed(1));
}

async function importAll(server: BenchServer, installationId: string): Promise<Record<string, number>> {
  const repositoryId = await offer(server, installationId);
  const call = createClient({ baseUrl: `${server.url}/api`, token: () => server.token });
  const started = performance.now();
  const since = () => Number(((performance.now() - started) / 1000).toFixed(1));
  await call(enableRepositories, {
    body: { providerRepos: { github: { sandbox: [{ id: repositoryId, tracked: true }] } } },
  });
  const marks: Record<string, number> = {};
  for (;;) {
    const { import: status, counts } = await call(getRepository, {
      params: { provider: 'github', repoPath: 'sandbox/large' },
    });
    if (status?.phase !== 'commits') marks['commits shown after s'] ??= since();
    if (status?.state === 'failed') throw new Error(status.error ?? 'the import failed');
    if (status?.state === 'done')
      return { ...marks, 'all after s': since(), commits: counts.commits, 'pull requests': counts.pullRequests };
    await delay(100);
  }
}

async function offer({ ownerUrl, orgId, accountId }: BenchServer, installationId: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(`begin; select set_config('app.org', '${orgId}', true)`);
  await client.query(
    "insert into installation (org_id, provider, installation_id, account_login, html_url, created_by) values ($1, 'github', $2, 'sandbox', 'https://example.org', $3)",
    [orgId, installationId, accountId],
  );
  const { rows } = await client.query<{ id: string }>(
    `insert into repository (org_id, id, provider, provider_repo_id, installation_id, owner, name, full_name, default_branch, is_private, html_url)
     values ($1, gen_random_uuid(), 'github', '1', $2, 'sandbox', 'large', 'sandbox/large', 'main', true, 'https://example.org') returning id`,
    [orgId, installationId],
  );
  await client.query('commit');
  await client.end();
  return rows[0]?.id ?? '';
}

/** Creates a repository with `commits` commits, every tenth a merged pull request, as one stream. */
async function makeRepository(path: string): Promise<void> {
  const git = promisify(execFile);
  await git('git', ['init', '--quiet', '--initial-branch=main', path]);
  const stream = spawn('git', ['-C', path, 'fast-import', '--quiet'], { stdio: ['pipe', 'inherit', 'inherit'] });
  const write = (text: string) =>
    stream.stdin.write(text) ? undefined : new Promise((resolve) => stream.stdin.once('drain', resolve));
  let mark = 0;
  let main = 0;
  const commit = async (branch: string, message: string, parents: number[], file: string) => {
    mark += 1;
    const who = `Person ${mark % 40} <person${mark % 40}@example.org> ${1_600_000_000 + mark * 3600} +0000`;
    const [from, merge] = parents;
    await write(
      `commit refs/heads/${branch}\nmark :${mark}\nauthor ${who}\ncommitter ${who}\ndata ${Buffer.byteLength(message)}\n${message}\n`,
    );
    if (from) await write(`from :${from}\n`);
    if (merge) await write(`merge :${merge}\n`);
    const content = `line ${mark}\n`;
    await write(`M 100644 inline src/${file}.ts\ndata ${content.length}\n${content}\n`);
    return mark;
  };
  for (let number = 1; mark < commits; number += 1) {
    for (let step = 0; step < 8 && mark < commits - 2; step += 1)
      main = await commit('main', `Change number ${mark}`, main ? [main] : [], `file${mark % 200}`);
    const side = await commit(`topic-${number}`, `Topic ${number}`, main ? [main] : [], `topic${number}`);
    if (mark < commits)
      main = await commit(
        'main',
        `Merge pull request #${number} from sandbox/topic-${number}\n\nTopic ${number}`,
        [main, side],
        `file${mark % 200}`,
      );
  }
  stream.stdin.end();
  await new Promise((resolve) => stream.once('exit', resolve));
  const { stdout } = await git('git', ['-C', path, 'for-each-ref', '--format=delete %(refname)', 'refs/heads/topic-*']);
  const update = spawn('git', ['-C', path, 'update-ref', '--stdin'], { stdio: ['pipe', 'inherit', 'inherit'] });
  update.stdin.end(stdout);
  await new Promise((resolve) => update.once('exit', resolve));
}
