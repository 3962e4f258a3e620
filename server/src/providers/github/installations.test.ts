import { createHmac } from 'node:crypto';
import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGithub, type Github } from './github.ts';
import { type SandboxGithub, startSandboxGithub, webhookSecret } from './sandbox.fixture.ts';
import { githubWebhooks } from './webhooks.ts';

let sandbox: SandboxGithub;
let github: Github;
let story: Awaited<ReturnType<typeof createStory>>;

beforeAll(async () => {
  story = await createStory();
  sandbox = await startSandboxGithub([story.path]);
  github = createGithub(sandbox.config);
});
afterAll(async () => {
  await sandbox.close();
  await story.remove();
});

test('links to an existing page for installing the app', async () => {
  const url = github.installationUrl('a state&more');
  expect(url).toBe(`${sandbox.sandbox.url}/github-apps/sightline-sandbox/installations/new?state=a+state%26more`);
  expect((await fetch(url)).status).toBe(200);
  const onGithub = createGithub({ ...sandbox.config, url: 'https://github.com' });
  expect(onGithub.installationUrl('s')).toBe('https://github.com/apps/sightline-sandbox/installations/new?state=s');
});

test('finds an installation for the app and for the authorizing user', async () => {
  const { id } = sandbox.install();
  expect(await github.getInstallation(String(id))).toMatchObject({
    id: String(id),
    accountLogin: 'sandbox',
    suspendedAt: null,
    permissions: { contents: 'read' },
  });
  await expect(github.getInstallation('1')).rejects.toMatchObject({ status: 404 });
  const token = await github.exchangeCode(sandbox.codeFor(sandbox.user('ada')));
  expect(await github.listUserInstallations(token)).toEqual([String(id)]);
  const refused = await github.exchangeCode('wrong').catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 400 });
  expect(String(refused)).not.toContain(sandbox.config.clientSecret);
});

test('accepts only the exact bytes that were signed', () => {
  const body = Buffer.from('{"zen":"Ü"}');
  const signature = `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`;
  const isSigned = (bytes: Buffer, header: string) => {
    const check = githubWebhooks.signatureOf(webhookSecret, () => header);
    check?.update(bytes.subarray(0, 3));
    check?.update(bytes.subarray(3));
    return check?.isValid() ?? false;
  };
  expect(isSigned(body, signature)).toBe(true);
  expect(isSigned(Buffer.from('{"zen":"U"}'), signature)).toBe(false);
  for (const wrong of ['', 'sha256=', signature.slice(0, -1), signature.replace('sha256', 'sha1'), `${signature}0`]) {
    expect(isSigned(body, wrong), wrong).toBe(false);
  }
});
