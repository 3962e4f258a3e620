import { createStory } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HostLimited } from '#providers/code-host.ts';
import type { HostRef } from '../host-facts.ts';
import { createGithub, type Github } from './github.ts';
import { createGraphqlQuery } from './graphql.ts';
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

test('runs small queries without the one-second delay between changes', { tags: 'full' }, async () => {
  const [pull] = (await github.listPullRequests(ref, null)).items;
  const number = pull?.number ?? 0;
  await github.evidence.timelineOf(ref, number);
  const head = (await github.headOf(ref, 'main')) ?? '';
  const answered: string[] = [];
  // These wait one second between each other: a query in the same queue would be last.
  const blames = Array.from({ length: 4 }, async () => {
    await github.blame(ref, head, ['README.md']);
    answered.push('blame');
  });
  const queries = Array.from({ length: 10 }, async () => {
    const { linkedIssues } = await github.evidence.timelineOf(ref, number);
    expect(linkedIssues).toBe(0);
    answered.push('question');
  });
  await Promise.all([...blames, ...queries]);
  expect(answered).toHaveLength(14);
  expect(answered.at(-1)).toBe('blame');
});

test('treats a rate limit error in a response body as a rate limit', async () => {
  const question = createGraphqlQuery('https://host.test/api/v3');
  const limited = { data: null, errors: [{ type: 'RATE_LIMITED', message: 'Too many.' }] };
  const routes: string[] = [];
  const ask = async (route: string) => {
    routes.push(route);
    return { data: limited, headers: {} };
  };
  await expect(question(ask, 'query { viewer { login } }', {})).rejects.toThrow(HostLimited);
  expect(routes).toEqual(['POST https://host.test/api/graphql']);
  const wrong = { data: { viewer: null }, errors: [{ type: 'NOT_FOUND', message: 'Nobody.' }] };
  expect(await question(async () => ({ data: wrong, headers: {} }), '', {})).toEqual(wrong);
});
