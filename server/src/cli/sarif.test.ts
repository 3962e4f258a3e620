import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCiBuild } from '#config.ts';
import { createTestRepository } from '#testing/findings.ts';
import { startTestServer, type TestServer } from '#testing/server.ts';
import { type InProcessResult, runInProcess } from './testing/in-process.ts';

let server: TestServer;
let folder: string;
let environment: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  const org = await server.make.organization();
  await createTestRepository(server, org, 'api');
  const { key } = await server.as(org.owner, org.id)(createAccessKey, { body: { name: 'CI' } });
  environment = { SIGHTLINE_URL: server.url, SIGHTLINE_KEY: key };
  folder = await mkdtemp(join(tmpdir(), 'sightline-sarif-'));
});
afterAll(async () => {
  await server?.close();
  if (folder) await rm(folder, { recursive: true });
});

const upload = (
  [file = '', ...args]: string[],
  env: Record<string, string> = environment,
): Promise<InProcessResult> => {
  // Without a checkout, git returns no branch and no commit.
  const plain = { PATH: process.env.PATH, GIT_DIR: folder };
  return runInProcess(['sarif', 'upload', join(folder, file), ...args], { ...plain, ...env });
};

async function fileOf(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return name;
}
const good = JSON.stringify({
  version: '2.1.0',
  runs: [{ tool: { driver: { name: 'Semgrep' } }, results: [{ ruleId: 'a', message: { text: 'm' } }, 1] }],
});

describe('sarif upload', () => {
  test('sends a file, reports progress apart from the result, and lists skipped results', async () => {
    const { code, out, complaint } = await upload([
      await fileOf('a.sarif', good),
      '--repository',
      'github/acme/api',
      '--ref',
      'main',
    ]);
    expect([code, out]).toEqual([
      0,
      'Semgrep at refs/heads/main: 1 new, 0 fixed, 0 reopened, 0 unchanged, 1 skipped\n  runs[0].results[1]: is not an object\n',
    ]);
    expect(complaint).toMatch(/^Sending .*a\.sarif \(/);
  });

  test('detects the CI build context and prints JSON', { tags: 'full' }, async () => {
    const sha = 'b'.repeat(40);
    const ci = { GITHUB_REPOSITORY: 'acme/api', GITHUB_REF: 'refs/pull/7/merge', GITHUB_SHA: sha };
    const { code, out, complaint } = await upload(['a.sarif', '--json'], { ...environment, ...ci });
    expect([code, complaint]).toEqual([0, '']);
    expect(JSON.parse(out)).toMatchObject({ scans: [{ ref: 'refs/pull/7/merge', commit: sha, state: 'done' }] });
  });

  test.each([
    ['an invalid file', ['broken.sarif', '--repository', 'github/acme/api'], {}, /is truncated, at line 1/],
    ['a missing file', ['none.sarif', '--repository', 'github/acme/api'], {}, /does not exist: .*none\.sarif/],
    ['an unknown repository', ['a.sarif', '--repository', 'github/acme/none'], {}, /not found/],
    ['no repository', ['a.sarif'], {}, /--repository is missing/],
    [
      'an invalid key',
      ['a.sarif', '--repository', 'github/acme/api'],
      { SIGHTLINE_KEY: 'sightline_x' },
      /access key is not valid/,
    ],
    ['no key', ['a.sarif', '--repository', 'github/acme/api'], { SIGHTLINE_KEY: '' }, /SIGHTLINE_KEY is not set/],
    [
      'an unreachable server',
      ['a.sarif', '--repository', 'github/acme/api'],
      { SIGHTLINE_URL: 'http://127.0.0.1:9' },
      /could not be reached/,
    ],
  ])('exits with 1 and an error message for %s', async (_, args, env, words) => {
    await fileOf('broken.sarif', good.slice(0, 60));
    const { code, out, complaint } = await upload(args, { ...environment, ...(env as Record<string, string>) });
    expect([code, out]).toEqual([1, '']);
    expect(complaint).toMatch(words);
    expect(complaint).not.toContain(environment.SIGHTLINE_KEY);
  });
});

test('reads the build context of every CI service', () => {
  expect(readCiBuild({ CI_PROJECT_PATH: 'a/b/c', CI_COMMIT_REF_NAME: 'main', CI_COMMIT_SHA: '1' })).toMatchObject({
    repository: 'gitlab/a/b/c',
    ref: 'main',
    commit: '1',
  });
  expect(readCiBuild({ BITBUCKET_REPO_FULL_NAME: 'a/b', BITBUCKET_BRANCH: 'x', BITBUCKET_COMMIT: '2' })).toMatchObject({
    repository: 'bitbucket/a/b',
    ref: 'x',
    commit: '2',
  });
  expect(readCiBuild({})).toEqual({
    url: undefined,
    key: undefined,
    repository: undefined,
    ref: undefined,
    commit: undefined,
  });
});
