import examples from '@octokit/webhooks-examples' with { type: 'json' };
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostAlert, HostRef } from '../host-facts.ts';
import { codeAlertFrom, dependencyAlertFrom, secretAlertFrom } from './alert-shapes.ts';
import { createGithub, type Github } from './github.ts';
import { type SandboxGithub, startSandboxGithub } from './sandbox.fixture.ts';

let sandbox: SandboxGithub;
let github: Github;
let ref: HostRef;
let story: Awaited<ReturnType<typeof createStory>>;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  github = createGithub(sandbox.config);
  ref = { installationId: String(sandbox.install().id), owner: 'sandbox', name: 'widgets' };
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

const add = (kind: HostAlert['kind'], more: object = {}) =>
  sandbox.control('alerts', { repository: 'sandbox/widgets', kind, path: 'src/login.ts', line: 2, ...more });

test('reports disabled alert types as refused', async () => {
  await expect(github.alerts.listAnalyzedRefs(ref)).rejects.toMatchObject({ name: 'HostRefused', status: 404 });
  await expect(all(github.alerts.listAlerts(ref, 'dependabot'))).rejects.toMatchObject({
    name: 'HostRefused',
    status: 403,
  });
  await expect(all(github.alerts.listAlerts(ref, 'secret_scanning'))).rejects.toMatchObject({ status: 404 });
});

test('reads code scanning alerts by ref, with complete rules', async () => {
  await add('code_scanning', { description: 'Never run what strangers say.' });
  await add('code_scanning', { path: 'a.txt', line: 1, refs: ['refs/pull/13/merge'] });
  expect((await github.alerts.listAnalyzedRefs(ref)).sort()).toEqual(['refs/heads/main', 'refs/pull/13/merge']);
  const main = await all(github.alerts.listCodeAlerts(ref, 'refs/heads/main'));
  expect(main).toEqual([
    {
      kind: 'code_scanning',
      number: 1,
      url: `${sandbox.sandbox.url}/sandbox/widgets/security/code-scanning/1`,
      createdAt: expect.any(String) as string,
      state: 'open',
      dismissed: null,
      tool: { name: 'CodeQL', version: '2.20.1' },
      rule: {
        id: 'js/code-injection',
        name: 'js/code-injection',
        title: 'Code injection',
        description: '# Code injection\n\nNever run what strangers say.',
        tags: ['security', 'external/cwe/cwe-094'],
      },
      severity: 'high',
      cwes: [94],
      codes: [],
      references: [],
      ref: 'refs/heads/main',
      commit: story.git(['rev-parse', 'HEAD']),
      path: 'src/login.ts',
      line: 2,
      endLine: 2,
      message: 'A value that comes from outside ends here.',
      package: null,
    },
  ]);
  expect(await github.alerts.getAlert(ref, 'code_scanning', 1, 'refs/heads/main')).toEqual(main[0]);
  expect(await github.alerts.getAlert(ref, 'code_scanning', 1, 'refs/heads/other')).toBeUndefined();
  expect(await all(github.alerts.listCodeAlerts(ref, 'refs/pull/13/merge'))).toMatchObject([
    { number: 2, path: 'a.txt' },
  ]);
});

test('reads all Dependabot alerts across cursor pages', async () => {
  for (let count = 0; count < 103; count += 1) await add('dependabot', { path: `${count}/package.json` });
  const alerts = await all(github.alerts.listAlerts(ref, 'dependabot'));
  expect(new Set(alerts.map(({ number }) => number)).size).toBe(103);
  expect(alerts.at(-1)).toMatchObject({
    number: 1,
    ref: null,
    path: '0/package.json',
    severity: 'medium',
    cwes: [400],
    codes: [{ kind: 'ghsa', id: 'GHSA-2222-2222-2225' }],
    package: { name: 'right-pad-sandbox', fixedIn: '2.0.0' },
  });
  expect(await github.alerts.getAlert(ref, 'dependabot', 1, '')).toEqual(alerts.at(-1));
});

test('reads secret scanning alerts without the secret', async () => {
  await add('secret_scanning');
  const [alert] = await all(github.alerts.listAlerts(ref, 'secret_scanning'));
  expect(alert).toMatchObject({ path: 'src/login.ts', line: 2, severity: 'high' });
  expect(await github.alerts.getAlert(ref, 'secret_scanning', 1, '')).toEqual(alert);
  expect(JSON.stringify(alert)).not.toContain('NOT_A_SECRET');
});

test('reads a file and the blame of its lines', async () => {
  const head = story.git(['rev-parse', 'HEAD']);
  expect((await github.readFile(ref, head, 'src/login.ts')).toString()).toBe('one\ntwo\n');
  expect((await github.readFile(ref, head, 'docs/naïve ☃.md')).toString()).toBe('snow\n');
  await expect(github.readFile(ref, head, 'src')).rejects.toMatchObject({ status: 404 });
  await expect(github.readFile(ref, head, 'gone.ts')).rejects.toMatchObject({ status: 404 });
  const blame = await github.blame(ref, head, ['gone.ts', 'src/login.ts', 'docs/naïve ☃.md']);
  expect([...blame.keys()]).toEqual(['src/login.ts', 'docs/naïve ☃.md']);
  expect(blame.get('src/login.ts')?.[0]).toMatchObject({
    from: 1,
    to: 2,
    pullRequest: 7,
    commit: { message: expect.stringMatching(/^Add login/) as string, author: { login: 'zoe-a' } },
  });
  await expect(github.blame(ref, '0'.repeat(40), ['a.txt'])).rejects.toMatchObject({ name: 'HostRefused' });
});

test('parses every alert in the webhook examples that GitHub publishes', () => {
  const payloads = (event: string) =>
    (examples as unknown as { name: string; examples: { alert: Record<string, unknown> }[] }[])
      .filter(({ name }) => name === event)
      .flatMap((definition) => definition.examples.map(({ alert }) => alert));
  const code = payloads('code_scanning_alert').map((alert) => codeAlertFrom(alert));
  expect(code).toHaveLength(6);
  for (const alert of code) expect(alert?.ref).toMatch(/^refs\//);
  const dependencies = payloads('dependabot_alert').map(dependencyAlertFrom);
  expect(dependencies).toHaveLength(3);
  expect(dependencies.find(({ package: found }) => found?.name === 'semver')).toMatchObject({
    codes: [{ id: 'CVE-2022-25883' }, { id: 'GHSA-c2qf-rxjj-qqgw' }],
    package: { fixedIn: '7.5.2' },
    cwes: [1333],
  });
});

test('maps a resolved alert to fixed when the secret was revoked, otherwise to dismissed', () => {
  const alert = { number: 1, created_at: '2026-01-01T00:00:00Z', html_url: 'x', secret_type: 'key', state: 'resolved' };
  expect(secretAlertFrom({ ...alert, resolution: 'revoked' }).state).toBe('fixed');
  const dismissed = secretAlertFrom({ ...alert, resolution: 'used_in_tests', resolution_comment: 'it was hunter2' });
  expect(dismissed).toMatchObject({ state: 'dismissed', dismissed: { reason: 'used_in_tests', comment: '' } });
  expect(secretAlertFrom({ ...alert, state: 'open', validity: 'active' }).severity).toBe('critical');
});

async function all(pages: AsyncGenerator<HostAlert[]>): Promise<HostAlert[]> {
  const found: HostAlert[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}
