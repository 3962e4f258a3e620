import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { appendChanges, buildTestBundle, createTestLedger, vkey } from '@sightline/evidence/bundle/testing/scene.ts';
import type { MergeComparison } from '@sightline/evidence/reconciliation/compare.ts';
import { hostUrlProblem } from '@sightline/evidence/reconciliation/host-address.ts';
import type { ReconciledHost } from '@sightline/evidence/reconciliation/host-merges.ts';
import { uuidOf } from '@sightline/sandbox/bitbucket/responses/account.ts';
import { fullSlug } from '@sightline/sandbox/bitbucket/responses/repository.ts';
import { issueToken } from '@sightline/sandbox/github/tokens.ts';
import { createToken } from '@sightline/sandbox/gitlab/instance.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SandboxBitbucket, startSandboxBitbucket } from '#providers/bitbucket/sandbox.fixture.ts';
import { runInProcess } from './testing/in-process.ts';
import { mergedAtSeconds, writeMergeHistory } from './testing/merges.fixture.ts';

const merges = 500;
const removed = [3, 77, 200, 201, 499];
const invented = [501, 502, 503, 504, 505];

let folder: string;
let sandbox: SandboxBitbucket;
let shas: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-reconcile-host-'));
  shas = writeMergeHistory(join(folder, 'widgets.git'), merges);
  sandbox = await startSandboxBitbucket([join(folder, 'widgets.git')]);
  sandbox.install();
});
afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

interface AuditedRepository {
  url: string;
  token: string;
  path: string;
  repository: string;
}

/** The repository at a code host of the sandbox, with a token of an auditor. */
function placeOf(kind: ReconciledHost): AuditedRepository {
  const { host, gitlab } = sandbox.sandbox;
  const [repository] = host.repositories;
  if (!repository) throw new Error('The sandbox has no repository');
  const user = sandbox.user('ada');
  const { login } = repository.owner;
  if (kind === 'github') {
    const { token } = issueToken(host, { kind: 'user', holder: user.id, seconds: 3600 });
    return { url: sandbox.sandbox.url, token, path: `${login}/${repository.name}`, repository: String(repository.id) };
  }
  if (kind === 'gitlab') {
    return {
      url: `${sandbox.sandbox.url}/gitlab`,
      token: createToken(gitlab, user, ['read_api']),
      path: `${login}/code/${repository.name}`,
      repository: String(repository.id),
    };
  }
  return {
    url: sandbox.baseURL,
    token: sandbox.workspaceToken(['repository', 'pullrequest'], login).token,
    path: fullSlug(repository),
    repository: uuidOf(`repository:${repository.id}`),
  };
}

/** Writes a valid bundle with these pull requests of the repository. */
async function bundleWith(
  numbers: readonly number[],
  { url, repository }: Pick<AuditedRepository, 'url' | 'repository'>,
  shaOf: (number: number) => string = (number) => shas[number - 1] ?? 'f'.repeat(40),
): Promise<string> {
  const log = createTestLedger();
  const origin = { host: new URL(url).host, connection: null, repository };
  appendChanges(log, 0);
  const rows = numbers.flatMap((number) =>
    appendChanges(log, 1, number, () => ({ number, mergeSha: shaOf(number), origin })),
  );
  const { bundle } = await buildTestBundle(log, rows, { controls: ['CHG-01'] });
  const path = join(folder, `bundle-${crypto.randomUUID()}.zip`);
  await writeFile(path, bundle);
  return path;
}

const run = (bundle: string, place: AuditedRepository, kind: string, more: readonly string[] = []) =>
  runInProcess(
    [
      ...['reconcile', bundle, '--key', vkey, '--host', place.url, '--provider', kind],
      ...['--repositories', `repo_1=${place.path}`, '--json', ...more],
    ],
    { PATH: process.env.PATH, SIGHTLINE_AUDITOR_TOKEN: place.token },
  );

const mergesIn = (out: string): MergeComparison =>
  (JSON.parse(out) as { reconciliation: { repositories: { merges: MergeComparison }[] } }).reconciliation
    .repositories[0]?.merges as MergeComparison;

const numbersOf = (list: readonly { number: number }[]) => list.map(({ number }) => number);
const all = Array.from({ length: merges }, (_, index) => index + 1);

describe.each<ReconciledHost>(['github', 'gitlab', 'bitbucket'])('with a token of %s', (kind) => {
  test('names exactly the five of 500 merges that the bundle lacks, and the five that the code host lacks', async () => {
    const place = placeOf(kind);
    const kept = [...all.filter((number) => !removed.includes(number)), ...invented];
    const { code, out, complaint } = await run(await bundleWith(kept, place), place, kind);
    expect(complaint).toBe('');
    expect(code).toBe(1);
    const compared = mergesIn(out);
    expect(compared.both).toBe(merges - removed.length);
    expect(numbersOf(compared.missingInBundle)).toEqual(removed);
    expect(numbersOf(compared.missingOnHost)).toEqual(invented);
    expect(compared.different).toEqual([]);
    expect(compared.otherBranches).toEqual([]);
    expect(compared.isSameRepository).toBe(true);
    expect(compared.missingInBundle[0]).toMatchObject({
      title: 'Change 3',
      branch: 'main',
      mergedAt: new Date(mergedAtSeconds(3) * 1000).toISOString(),
    });
    expect(out).not.toContain(place.token);
  });

  test('succeeds if nothing is missing, and names a merge with another commit', { tags: 'full' }, async () => {
    const place = placeOf(kind);
    expect(await run(await bundleWith(all, place), place, kind)).toMatchObject({ code: 0 });
    const other = await bundleWith(all, place, (number) => (number === 9 ? 'e'.repeat(40) : (shas[number - 1] ?? '')));
    const { code, out } = await run(other, place, kind);
    expect(code).toBe(1);
    expect(numbersOf(mergesIn(out).different)).toEqual([9]);
  });

  test('refuses another repository, a rejected token and a path that the token cannot read', async () => {
    const place = placeOf(kind);
    const elsewhere = await run(await bundleWith([1, 2], { ...place, repository: '4711' }), place, kind);
    expect(elsewhere).toMatchObject({ code: 1, out: '' });
    expect(elsewhere.complaint).toContain('come from repository 4711 of ');
    const bundle = await bundleWith([1, 2], place);
    const refused = await run(bundle, { ...place, token: 'invalid' }, kind);
    expect(refused.complaint).toContain('the code host rejected the token');
    const unknown = await run(bundle, { ...place, path: `${place.path}-2` }, kind);
    expect(unknown.complaint).toContain('does not exist at the code host, or the token cannot read it');
  });
});

test('finds the repository by its origin, compares it with a clone too, and names those that are left', async () => {
  const place = placeOf('github');
  const bundle = await bundleWith(all.slice(0, 20), place);
  const args = ['reconcile', bundle, '--key', vkey, '--host', place.url, '--provider', 'github'];
  const environment = { PATH: process.env.PATH, SIGHTLINE_AUDITOR_TOKEN: place.token };
  const byOrigin = await runInProcess(args, environment);
  // The test bundle names the repository acme/widgets.
  expect(byOrigin.complaint).toContain('acme/widgets: does not exist at the code host');
  const clone = await runInProcess(
    [...args, '--repositories', `repo_1=${place.path}`, '--clone', `repo_1=${join(folder, 'widgets.git')}`],
    environment,
  );
  expect(clone.complaint).toContain('does not contain CHG-02');
  const other = await runInProcess([...args, '--repositories', `repo_2=${place.path}`, '--json'], environment);
  expect(mergesIn(other.out)).toMatchObject({ both: 0, isSameRepository: false });
  expect(other.out).toContain('"notCompared":["acme/widgets"]');
});

test('takes a token from the environment or standard input, and sends it over https or within the machine only', {
  tags: 'full',
}, async () => {
  const place = placeOf('github');
  const bundle = await bundleWith([1], place);
  const without = await run(bundle, { ...place, token: '' }, 'github');
  expect(without.complaint).toContain('set SIGHTLINE_AUDITOR_TOKEN, or use --token-stdin');
  const asArgument = await run(bundle, place, 'github', ['--token', place.token]);
  expect(asArgument.complaint).toContain('--token');
  const plain = await run(bundle, { ...place, url: 'http://github.example.com' }, 'github');
  expect(plain.complaint).toContain('must start with https://');
  const unknown = await run(bundle, place, 'gitea');
  expect(unknown.complaint).toContain('must be one of github, gitlab, bitbucket');
  const main = new URL('./main.ts', import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    [
      ...[main, 'reconcile', bundle, '--key', vkey, '--host', place.url, '--provider', 'github', '--token-stdin'],
      ...['--repositories', `repo_1=${place.path}`],
    ],
    { env: { PATH: process.env.PATH }, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  child.stdin.end(`${place.token}\n`);
  expect(await text(child.stdout)).toContain('1 merges are on both sides');
});

test.each([
  ['https://github.com', undefined],
  ['http://127.0.0.1:1', undefined],
  ['http://10.0.0.1', 'must start with https://'],
  ['ftp://github.com', 'must start with https://'],
  ['https://user:password@github.com', 'must not contain a user name or password'],
  ['https://github.com?next=https://example.org', 'must be the address of the code host alone'],
])('%s: %s', (url, problem) => {
  expect(hostUrlProblem(new URL(url))).toBe(problem);
});
