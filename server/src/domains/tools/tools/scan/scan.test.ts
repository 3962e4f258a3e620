import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { listToolDetections, listToolPeople, listTools } from '@sightline/contract/tools/tools.ts';
import { bob, createRepository, zoe } from '@sightline/sandbox/testing/repository.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#core/ids.ts';
import { type SandboxGithub, startSandboxGithub } from '#providers/github/sandbox.fixture.ts';
import { startTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { webhookHelpers } from '../../../sources/webhooks/deliveries.fixture.ts';
import { queueToolScan } from '../commands.ts';
import { scanRepositoryTools } from './scan.ts';

const workflow = '.github/workflows/ci.yml';
const trivyStep = (action: string, tool: string) =>
  `uses: aquasecurity/trivy-action@${action}\n        with: { version: ${tool} }`;
const steps = (lines: string[]) =>
  ['on: push', 'jobs:', '  build:', '    steps:', ...lines.map((line) => `      - ${line}`), ''].join('\n');

let story: ReturnType<typeof createRepository>;
let sandbox: SandboxGithub;
let server: TestServer;
let acme: TestOrganization;
let repositoryId: string;
const shas: Record<string, string> = {};

beforeAll(async () => {
  story = createRepository();
  await story.start();
  shas.first = await story.commit('First', { [workflow]: steps(['uses: actions/checkout@v4']), 'README.md': 'hello' });
  const two = steps(['uses: actions/checkout@v4', trivyStep('v1', 'v0.69.1')]);
  shas.second = await story.commit('Second', { [workflow]: two, 'CLAUDE.md': 'Be kind.' }, zoe);
  sandbox = await startSandboxGithub([story.path]);
  server = await startTestServer({ environment: sandbox.environment });
  acme = await server.make.organization();
  repositoryId = await enableOnly(acme, sandbox);
});
afterAll(async () => {
  await server.close();
  await sandbox.close();
  await story.remove();
});

const { inOrg, enableOnly } = webhookHelpers(() => server);

const subject = () => ({ orgId: acme.id, repositoryId });
const scan = async () => {
  await inOrg(acme.id, (tx) => queueToolScan(server.services, tx, acme.id, { repositoryId }));
  await scanRepositoryTools(server.services, subject());
};
const state = () => inOrg(acme.id, ({ db }) => db.selectFrom('tool_scan').selectAll().executeTakeFirstOrThrow());
const detections = () =>
  inOrg(acme.id, ({ db }) => db.selectFrom('tool_detection').selectAll().orderBy('path').orderBy('line').execute());
const call = () => server.as(acme.owner, acme.id);
const eventsOf = async (toolId: string) => {
  const filters = [{ within: 'tool' as const, field: 'id', predicate: 'is' as const, arguments: [toolId] }];
  return (await call()(queryEvents, { body: { filters } })).events;
};
const push = async (message: string, files: Record<string, string>) => {
  const sha = await story.commit(message, files, bob);
  await sandbox.sandbox.refresh();
  return sha;
};

test('reports the tools of a repository with line, commit and author', async () => {
  await scan();
  expect(await state()).toMatchObject({ state: 'done', commit_sha: shas.second, error: null });
  expect(await detections()).toMatchObject([
    {
      tool_id: 'action:actions/checkout',
      line: 5,
      version: 'v4',
      source: 'github-actions',
      commit_sha: shas.first,
      added_by: 'Ada Lovelace',
      confidence: 'observed',
      removed_at: null,
    },
    { tool_id: 'trivy', line: 6, version: 'v0.69.1', commit_sha: shas.second, added_by: 'Zoë Ångström' },
    { tool_id: 'github-actions', path: workflow, line: null, confidence: 'inferred', commit_sha: shas.first },
    { tool_id: 'claude-code', path: 'CLAUDE.md', line: null, source: 'repository', commit_sha: shas.second },
  ]);
  const { rows: tools } = await call()(listTools, { body: { tab: 'ci/cd' } });
  expect(tools.map(({ name, vendor, version }) => ({ name, vendor, version }))).toEqual([
    { name: 'actions/checkout', vendor: 'GitHub', version: 'v4' },
    { name: 'Claude Code', vendor: 'Anthropic', version: null },
    { name: 'GitHub Actions', vendor: 'GitHub', version: null },
    { name: 'Trivy', vendor: 'Aqua Security', version: 'v0.69.1' },
  ]);
  const trivy = tools.at(-1);
  expect(trivy?.people.items.map(({ name }) => name)).toEqual(['Zoë Ångström']);
  expect(trivy?.projects).toMatchObject({ total: 1 });
  const params = { toolId: 'trivy' };
  const peopleOf = async (repository: string) =>
    (await call()(listToolPeople, { params, query: { repository } })).rows.map(({ person }) => person.name);
  expect(await peopleOf(repositoryId)).toEqual(['Zoë Ångström']);
  expect(await peopleOf(newId())).toEqual([]);
});

test('records each new tool as an event of its author at commit time', async () => {
  const { events } = await call()(queryEvents, { body: { query: 'Trivy' } });
  expect(events).toMatchObject([
    {
      type: 'tool',
      as_of: '2024-01-01T09:02:00Z',
      summary: {
        phrase: '{0} added {1} to {2}',
        parameters: [{ display: 'Zoë Ångström' }, { display: 'Trivy', ident: 'trivy' }, { ident: 'sandbox/widgets' }],
      },
    },
  ]);
});

test('reads no file and changes nothing when the commit is unchanged', async () => {
  const before = await detections();
  const github = await server.services.githubApps.find();
  const read = vi.spyOn(github ?? fail(), 'readBlob');
  await scan();
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
  const plain = (rows: typeof before) => rows.map(({ last_seen: _, ...row }) => row);
  expect(plain(await detections())).toEqual(plain(before));
  expect((await call()(queryEvents, { body: { query: 'Trivy' } })).events).toHaveLength(1);
});

test('keeps a detection when its line moves or its version increases, and ends removed ones', async () => {
  const before = await detections();
  const trivy = before.find(({ tool_id }) => tool_id === 'trivy');
  const changed = ['run: echo hello', trivyStep('v2', 'v0.69.3'), 'run: npm ci'];
  const sha = await push('Third', { [workflow]: steps(changed) });
  await scan();
  const after = await detections();
  const of = (id: string) => after.find(({ tool_id }) => tool_id === id);
  expect(of('trivy')).toMatchObject({
    id: trivy?.id,
    line: 6,
    version: 'v0.69.3',
    commit_sha: shas.second,
    removed_at: null,
  });
  expect(of('npm')).toMatchObject({ line: 8, commit_sha: sha, added_by: 'Bob', text: 'npm ci' });
  expect(of('action:actions/checkout')?.removed_at).not.toBeNull();
  const totals = await inOrg(acme.id, ({ db }) =>
    db.selectFrom('tool_repository').select(['tool_id', 'removed_at']).orderBy('tool_id').execute(),
  );
  expect(totals.filter(({ removed_at }) => removed_at !== null).map(({ tool_id }) => tool_id)).toEqual([
    'action:actions/checkout',
  ]);
  const people = await inOrg(acme.id, ({ db }) =>
    db.selectFrom('tool_person').select('tool_id').where('removed_at', 'is not', null).execute(),
  );
  expect(people).toEqual([{ tool_id: 'action:actions/checkout' }]);
  const events = await eventsOf('action:actions/checkout');
  expect(events.map(({ summary }) => summary.phrase)).toEqual([
    '{0} is no longer in use in {1}',
    '{0} added {1} to {2}',
  ]);
  expect(events[0]?.summary.parameters).toMatchObject([{ display: 'actions/checkout' }, { ident: 'sandbox/widgets' }]);
  expect((await eventsOf('trivy')).map(({ summary }) => summary.phrase)).toEqual(['{0} added {1} to {2}']);
});

test('ends the detections of a deleted file and restores them when the file returns', async () => {
  story.git(['rm', '--quiet', 'CLAUDE.md']);
  await push('Without', {});
  await scan();
  const claude = async () => (await detections()).find(({ tool_id }) => tool_id === 'claude-code');
  expect((await claude())?.removed_at).not.toBeNull();
  await push('Again', { 'CLAUDE.md': 'Be kind.' });
  await scan();
  expect((await claude())?.removed_at).toBeNull();
  const { rows } = await call()(listToolDetections, { params: { toolId: 'claude-code' }, query: {} });
  expect(rows).toHaveLength(1);
  await scan();
  const events = await eventsOf('claude-code');
  expect(events.map(({ summary }) => summary.phrase).toSorted()).toEqual([
    '{0} added {1} to {2}',
    '{0} added {1} to {2}',
    '{0} is no longer in use in {1}',
  ]);
});

test('lists unknown tools, Procfiles, legacy Dependabot files and GitLab scanners', async () => {
  await push('Add tools', {
    Procfile: 'web: uvicorn app:api\n',
    '.dependabot/config.yml': 'version: 1\nupdate_configs:\n  - package_manager: "java:maven"\n    directory: /\n',
    '.gitlab-ci.yml':
      'include:\n  - template: Jobs/SAST.gitlab-ci.yml\n  - template: Security/Dependency-Scanning.gitlab-ci.yml\n',
    'package.json': '{\n  "scripts": { "lint": "standard && echo ok" }\n}\n',
    'build/action.yml':
      'runs:\n  using: composite\n  steps:\n    - run: npx lockfile-lint@4.14.0 --path x\n      shell: bash\n',
  });
  await scan();
  const { rows } = await call()(listTools, { body: { tab: 'ci/cd', perPage: 40 } });
  expect(rows.map(({ id, categories, version }) => ({ id, categories, version }))).toEqual(
    expect.arrayContaining([
      { id: 'heroku', categories: ['Deployment'], version: null },
      { id: 'dependabot', categories: ['Dependency updates'], version: null },
      { id: 'maven', categories: ['Build', 'Package management'], version: null },
      { id: 'gitlab-sast', categories: ['Static analysis'], version: null },
      { id: 'gitlab-dependency-scanning', categories: ['Software composition analysis'], version: null },
      { id: 'npm:standard', categories: ['Workflow automation'], version: null },
      { id: 'npm:lockfile-lint', categories: ['Workflow automation'], version: '4.14.0' },
    ]),
  );
  const { rows: places } = await call()(listToolDetections, { params: { toolId: 'npm:standard' }, query: {} });
  expect(places).toMatchObject([{ path: 'package.json', line: 2, text: 'standard' }]);
});

test('reports the error of the code host and keeps known detections', async () => {
  const before = await detections();
  await inOrg(acme.id, ({ db }) => db.updateTable('repository').set({ default_branch: 'nowhere' }).execute());
  await scan();
  expect(await state()).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('Branch not found') as string,
  });
  expect((await detections()).length).toBe(before.length);
  await inOrg(acme.id, ({ db }) => db.updateTable('repository').set({ default_branch: 'main' }).execute());
});

test('does not scan disabled repositories or archived organizations', async () => {
  const read = vi.spyOn((await server.services.githubApps.find()) ?? fail(), 'listTree');
  await inOrg(acme.id, ({ db }) => db.updateTable('repository').set({ tracked: false }).execute());
  await scan();
  await inOrg(acme.id, ({ db }) => db.updateTable('repository').set({ tracked: true }).execute());
  await inOrg(acme.id, ({ db }) => db.updateTable('organization').set({ archived_at: new Date() }).execute());
  await scan();
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
  await inOrg(acme.id, ({ db }) => db.updateTable('organization').set({ archived_at: null }).execute());
});

const fail = (): never => {
  throw new Error('no GitHub');
};
