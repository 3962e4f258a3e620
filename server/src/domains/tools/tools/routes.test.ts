import { createPolicy } from '@sightline/contract/compliance/policies.ts';
import { queryEvents, recordEvents } from '@sightline/contract/timeline/events.ts';
import { listAgentConfiguration } from '@sightline/contract/tools/agent-configuration.ts';
import { reportTools } from '@sightline/contract/tools/editor-reports.ts';
import { sendHeartbeat } from '@sightline/contract/tools/presence.ts';
import {
  exportTools,
  getTool,
  listToolDetections,
  listToolFilters,
  listToolPeople,
  listToolProjects,
  listTools,
} from '@sightline/contract/tools/tools.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { approvePolicyChange } from '#testing/policies.ts';
import {
  refusalOf,
  shareTestServer,
  type TestAccount,
  type TestOrganization,
  type TestServer,
} from '#testing/server.ts';
import { toolOfAction } from './catalog/catalog.ts';
import { recordSightings } from './record-sightings.ts';

let server: TestServer;
let org: TestOrganization;
let ada: TestAccount;
let reviewer: TestAccount;
let api: string;
let site: string;

beforeAll(async () => {
  server = await shareTestServer();
  org = await server.make.organization('acme');
  ada = await server.make.member(org.id, 'rol_contributor');
  reviewer = await server.make.member(org.id, 'rol_reviewer');
  api = await addRepository('api', await server.personOf(org.id, ada));
  site = await addRepository('site', await server.personOf(org.id, org.owner));
});
afterAll(() => server?.close());

const inOrg: TestServer['services']['database']['withOrg'] = (orgId, work) =>
  server.services.database.withOrg(orgId, work);

/** Creates an enabled repository with commits of a contributor. */
async function addRepository(name: string, contributor: string): Promise<string> {
  const id = await createTestRepository(server, org, name);
  await inOrg(org.id, async ({ db }) => {
    await db
      .insertInto('contributor')
      .values({
        org_id: org.id,
        repository_id: id,
        person_id: contributor,
        name: 'Somebody',
        email: 'somebody@code.example',
        commits: 1,
        last_commit: new Date(),
      })
      .execute();
  });
  return id;
}

const DAY_MS = 86_400_000;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);

/** Records a detection of an action in a workflow, first seen 40 days ago. */
async function addAction(repositoryId: string, name: string, lastSeen = new Date(), removedAt: Date | null = null) {
  const since = new Date(Date.now() - 40 * DAY_MS);
  const entry = toolOfAction(name);
  await inOrg(org.id, async (tx) => {
    await recordSightings(tx, org.id, [
      { tab: 'ci/cd', entry, repositoryId, source: 'github-actions', version: 'v4', since, at: lastSeen },
    ]);
    await tx.db
      .insertInto('tool_detection')
      .values({
        org_id: org.id,
        id: newId(),
        repository_id: repositoryId,
        tool_id: entry.id,
        source: 'github-actions',
        path: '.github/workflows/build.yml',
        line: 12,
        text: `uses: ${name}@v4`,
        version: 'v4',
        commit_sha: 'c0ffee',
        added_by: 'Somebody',
        confidence: 'observed',
        first_seen: since,
        last_seen: lastSeen,
        removed_at: removedAt,
      })
      .execute();
    if (removedAt)
      await tx.db
        .updateTable('tool_repository')
        .set({ removed_at: removedAt })
        .where('org_id', '=', org.id)
        .where('tool_id', '=', entry.id)
        .execute();
  });
  return entry;
}

const namesOf = async (who: TestAccount, body: object) =>
  (await server.as(who, org.id)(listTools, { body })).rows.map(({ name }) => name);

const laptop = newId();
const report = (who: TestAccount, tools: { id: string; name?: string; version?: string }[], more: object = {}) =>
  server.as(who, org.id)(reportTools, {
    body: { deviceId: laptop, type: 'vscode', version: '1.105.0', tools, ...more },
  });

describe('MCP servers of editors', () => {
  const hub = {
    name: 'hub',
    transport: 'stdio',
    source: 'npm:@acme/server',
    command: 'npx',
    version: '1.0.0',
    environment: ['KEY'],
    headers: [],
  } as const;
  let team: TestOrganization;
  beforeAll(async () => {
    team = await server.make.organization();
  });
  const configurationOf = async (who: TestAccount) =>
    (await server.as(who, team.id)(listAgentConfiguration, { query: { sources: ['editor'] } })).rows;
  const reportServers = (who: TestAccount, more: object) =>
    server.as(who, team.id)(reportTools, {
      body: { deviceId: laptop, type: 'vscode', version: '1.105.0', tools: [], ...more },
    });

  test('are listed with their person until a report leaves them out', async () => {
    const member = await server.make.member(team.id, 'rol_contributor');
    const other = await server.make.member(team.id, 'rol_contributor');
    await reportServers(member, { mcpServers: [hub] });
    const [row] = await configurationOf(team.owner);
    expect(row).toMatchObject({
      type: 'server',
      tool: { id: 'mcp:npm:@acme/server' },
      server: hub,
      source: 'editor',
      repository: null,
      state: 'current',
      program: 'vscode',
      person: { name: member.name },
      lastChange: { author: member.name, commit: null },
    });
    expect(await configurationOf(other)).toEqual([]);
    expect(await configurationOf(member)).toHaveLength(1);

    await reportServers(member, { mcpServers: [{ ...hub, environment: ['KEY', 'OTHER'] }] });
    const [changed] = await configurationOf(team.owner);
    expect(changed?.server?.environment).toEqual(['KEY', 'OTHER']);
    expect(Date.parse(changed?.lastChange?.at ?? '')).toBeGreaterThan(Date.parse(row?.lastChange?.at ?? ''));
    await reportServers(member, { mcpServers: [{ ...hub, environment: ['KEY', 'OTHER'] }] });
    expect((await configurationOf(team.owner))[0]?.lastChange?.at).toBe(changed?.lastChange?.at);

    // An extension of an earlier version reports none.
    await reportServers(member, {});
    expect(await configurationOf(team.owner)).toMatchObject([{ state: 'current' }]);
    await reportServers(member, { mcpServers: [] });
    expect(await configurationOf(team.owner)).toMatchObject([{ state: 'removed' }]);
  });

  test('of agents are listed by agent, and kept while an agent is not read', async () => {
    const member = await server.make.member(team.id, 'rol_contributor');
    const ofMember = async () =>
      (await configurationOf(member)).map(({ agent, program, state }) => [agent, program, state]).toSorted();
    const claude = { agent: 'claude-code', servers: [hub] };
    await reportServers(member, {
      mcpServers: [hub],
      agentMcpServers: [claude, { agent: 'openai-codex', servers: [{ ...hub, name: 'same' }] }],
    });
    expect(await ofMember()).toEqual([
      ['claude-code', 'claude-code', 'current'],
      ['openai-codex', 'openai-codex', 'current'],
      ['vs-code', 'vscode', 'current'],
    ]);
    await reportServers(member, { agentMcpServers: [{ ...claude, servers: [] }] });
    await reportServers(member, {});
    expect(await ofMember()).toEqual([
      ['claude-code', 'claude-code', 'removed'],
      ['openai-codex', 'openai-codex', 'current'],
      ['vs-code', 'vscode', 'current'],
    ]);
    const filters = [
      { within: 'tool' as const, field: 'id', predicate: 'is' as const, arguments: ['mcp:npm:@acme/server'] },
    ];
    const { events } = await server.as(member, team.id)(queryEvents, { body: { filters } });
    const programs = events.map(({ source, summary }) => [source, summary.parameters[2]?.display]).toSorted();
    expect(programs).toEqual([
      ['vscode', 'Claude Code'],
      ['vscode', 'Claude Code'],
      ['vscode', 'Codex'],
      ['vscode', 'Visual Studio Code'],
    ]);
  });

  test('are refused with fields that may hold a secret', async () => {
    const refused = reportServers(team.owner, { mcpServers: [{ ...hub, args: ['--key', 'secret'] }] });
    await expect(refused).rejects.toMatchObject({ status: 400 });
  });
});

describe('tools of repositories', () => {
  test('are listed with details and repositories, and found by every filter', async () => {
    const trivy = await addAction(api, 'aquasecurity/trivy-action');
    const uncataloged = await addAction(site, 'nobody-knows/this-one', new Date(Date.now() - 10 * DAY_MS));
    const owner = server.as(org.owner, org.id);
    const { rows, total } = await owner(listTools, { body: {} });
    expect(total).toBe(2);
    const [first, second] = rows.toSorted((one, other) => (one.id === trivy.id ? -1 : other.id === trivy.id ? 1 : 0));
    expect(first).toMatchObject({
      id: trivy.id,
      name: trivy.name,
      vendor: trivy.vendor,
      icon: trivy.icon,
      type: 'ci/cd',
      version: 'v4',
      sources: ['github-actions'],
      inUse: true,
      people: { items: [], total: 0 },
      projects: { items: [{ id: api, provider: 'github', fullName: 'acme/api' }], total: 1 },
    });
    expect(second).toMatchObject({ id: 'action:nobody-knows/this-one', icon: null });
    const today = dayOf(new Date());
    for (const [body, expected] of [
      [{ search: 'TRIVY aqua' }, [trivy.name]],
      [{ search: '100%' }, []],
      [{ vendors: [trivy.vendor ?? ''] }, [trivy.name]],
      [{ types: ['ci-runner'] }, []],
      [{ sources: ['github-actions'], sort: 'date-asc' }, [uncataloged.name, trivy.name]],
      [{ sources: ['jenkins'] }, []],
      [{ projects: [site] }, [uncataloged.name]],
      [{ projects: [newId()] }, []],
      [{ users: [await server.personOf(org.id, org.owner)] }, []],
      [{ period: `${today},${today}` }, [trivy.name]],
      [{ period: '2020-01-01,2020-12-31' }, []],
      [{ firstSeenFrom: new Date(Date.now() - 41 * DAY_MS).toISOString() }, [uncataloged.name, trivy.name]],
      [{ firstSeenFrom: new Date(Date.now() - 39 * DAY_MS).toISOString() }, []],
      [{ tab: 'developer' }, []],
      [{ categories: [trivy.categories[0]] }, [trivy.name]],
      [{ sort: 'name-desc' }, [trivy.name, uncataloged.name]],
      [{ sort: 'name-desc', perPage: 1, page: 2 }, [uncataloged.name]],
    ] as const) {
      expect([body, await namesOf(org.owner, body)]).toEqual([body, expected]);
    }
  });

  test('that were removed are no longer in use; those of a disabled repository are hidden', async () => {
    const old = await addRepository('old', await server.personOf(org.id, org.owner));
    const removed = await addAction(old, 'gone/away', new Date(), new Date());
    const owner = server.as(org.owner, org.id);
    const found = (await owner(listTools, { body: { search: 'gone/away' } })).rows[0];
    expect(found).toMatchObject({ inUse: false, projects: { items: [], total: 0 } });
    const search = 'gone/away';
    expect(await namesOf(org.owner, { search, statuses: ['gone'] })).toEqual([removed.name]);
    expect(await namesOf(org.owner, { search, statuses: ['in-use', 'gone'] })).toEqual([removed.name]);
    expect(await namesOf(org.owner, { search, statuses: ['in-use'] })).toEqual([]);
    expect((await owner(listToolFilters, {})).statuses).toEqual([
      { value: 'in-use', label: 'In use', count: 2 },
      { value: 'gone', label: 'No longer in use', count: 1 },
    ]);
    const { rows } = await owner(listToolDetections, { params: { toolId: removed.id } });
    expect(rows[0]?.removedAt).not.toBeNull();
    await inOrg(org.id, ({ db }) =>
      db.updateTable('repository').set({ tracked: false }).where('org_id', '=', org.id).where('id', '=', old).execute(),
    );
    expect(await namesOf(org.owner, { search: 'gone/away' })).toEqual([]);
    expect(await refusalOf(owner(getTool, { params: { toolId: removed.id } }))).toMatchObject({ status: 404 });
    expect(await refusalOf(owner(listToolDetections, { params: { toolId: removed.id } }))).toMatchObject({
      status: 404,
    });
  });

  test('have a page that links to the line on the code host', async () => {
    const owner = server.as(org.owner, org.id);
    const { id } = toolOfAction('aquasecurity/trivy-action');
    expect(await owner(getTool, { params: { toolId: id } })).toMatchObject({ id, tabs: ['ci/cd'] });
    const { rows } = await owner(listToolDetections, { params: { toolId: id }, query: { sort: 'repository-asc' } });
    expect(rows).toMatchObject([
      {
        path: '.github/workflows/build.yml',
        line: 12,
        text: 'uses: aquasecurity/trivy-action@v4',
        url: 'https://code.example/acme/api/blob/c0ffee/.github/workflows/build.yml#L12',
        addedBy: 'Somebody',
        confidence: 'observed',
        removedAt: null,
      },
    ]);
    const projects = await owner(listToolProjects, { params: { toolId: id } });
    expect(projects.rows).toMatchObject([{ id: api, fullName: 'acme/api', sources: ['github-actions'] }]);
  });

  test('of other repositories are hidden from a contributor, as are the authors of their own', async () => {
    expect(await namesOf(ada, {})).toEqual([toolOfAction('aquasecurity/trivy-action').name]);
    const asAda = server.as(ada, org.id);
    const filters = await asAda(listToolFilters, {});
    expect(filters.repositories.map(({ label }) => label)).toEqual(['acme/api']);
    expect(filters.totals).toEqual({ cicd: 1, developer: 0 });
    const { id } = toolOfAction('aquasecurity/trivy-action');
    const { rows } = await asAda(listToolDetections, { params: { toolId: id } });
    expect(rows.map(({ addedBy }) => addedBy)).toEqual([null]);
    for (const endpoint of [getTool, listToolDetections, listToolPeople, listToolProjects]) {
      const response = asAda(endpoint, { params: { toolId: 'action:nobody-knows/this-one' } });
      expect(await refusalOf(response)).toEqual({ status: 404, code: 'not_found' });
    }
  });

  test('are counted for the filters, which include scan progress', async () => {
    await inOrg(org.id, async ({ db }) => {
      const of = { org_id: org.id };
      await db
        .insertInto('tool_scan')
        .values({ ...of, repository_id: api, state: 'done' })
        .execute();
      await db
        .insertInto('tool_scan')
        .values({ ...of, repository_id: site, state: 'running' })
        .execute();
    });
    const filters = await server.as(reviewer, org.id)(listToolFilters, {});
    expect(filters.scanning).toEqual({ done: 1, total: 2, names: ['acme/site'] });
    expect(filters.toolsSources).toEqual([{ value: 'github-actions', label: 'GitHub Actions', count: 2 }]);
    expect(filters.totals).toEqual({ cicd: 2, developer: 0 });
    expect(filters.vendors).toContainEqual({ value: 'Aqua Security', label: 'Aqua Security', count: 1 });
    expect(filters.categories).toContainEqual({ value: 'Container security', label: 'Container security', count: 1 });
    expect(filters.toolsTypes).toContainEqual({ value: 'cli', label: 'CLI tool', count: 1 });
    expect(filters.members).toEqual([]);
    expect(filters.repositories).toEqual([
      { value: api, label: 'acme/api', count: 1 },
      { value: site, label: 'acme/site', count: 1 },
    ]);
    const some = await server.as(reviewer, org.id)(listToolFilters, { query: { projects: [api] } });
    expect([some.totals.cicd, some.vendors.length]).toEqual([1, 1]);
  });
});

describe('tools of developers', () => {
  test('are reported by the editor, and removed for that device only when no longer reported', async () => {
    const remote = { repositories: ['code.example/acme/api.git', 'elsewhere.example/acme/site'] };
    await report(
      ada,
      [
        { id: 'Anthropic.claude-code', version: '2.0.1' },
        { id: 'acme.helper', name: 'Helper' },
      ],
      remote,
    );
    const desktop = newId();
    await report(ada, [{ id: 'acme.helper', name: 'Helper' }], { deviceId: desktop });
    const names = await namesOf(org.owner, { tab: 'developer' });
    expect(names).toEqual(['Claude Code', 'Helper', 'Visual Studio Code']);
    const { rows } = await server.as(org.owner, org.id)(listTools, { body: { tab: 'developer', search: 'claude' } });
    const [claude] = rows;
    expect(claude).toMatchObject({
      kind: 'ai-assistant',
      version: '2.0.1',
      sources: ['vscode'],
      people: { items: [{ id: await server.personOf(org.id, ada), name: ada.name }], total: 1 },
      projects: { items: [{ fullName: 'acme/api' }], total: 1 },
    });
    await report(ada, []);
    const after = await server.as(org.owner, org.id)(listTools, { body: { tab: 'developer' } });
    expect(after.rows.map(({ name, people }) => [name, people.total])).toEqual([
      ['Claude Code', 0],
      ['Helper', 1],
      ['Visual Studio Code', 1],
    ]);
    const people = await server.as(org.owner, org.id)(listToolPeople, { params: { toolId: claude?.id ?? '' } });
    expect(people.rows).toMatchObject([{ program: 'vscode', source: 'vscode', version: '2.0.1' }]);
    expect(people.rows[0]?.removedAt).not.toBeNull();
    await report(ada, [{ id: 'anthropic.claude-code', version: '2.1.0' }]);
    const back = await server.as(org.owner, org.id)(listToolPeople, { params: { toolId: claude?.id ?? '' } });
    expect(back.rows).toMatchObject([{ version: '2.1.0', removedAt: null }]);
  });

  test('are recorded once in the timeline and found there by tool', async () => {
    const events = async (id: string) => {
      const filters = [{ within: 'tool' as const, field: 'id', predicate: 'is' as const, arguments: [id] }];
      return (await server.as(org.owner, org.id)(queryEvents, { body: { filters } })).events;
    };
    const [claude] = (await server.as(org.owner, org.id)(listTools, { body: { tab: 'developer', search: 'claude' } }))
      .rows;
    const found = (await events(claude?.id ?? '')).toReversed();
    // The preceding test removed it and added it again.
    const again = ['{0} stopped using {1} in {2}', '{0} started using {1} in {2}'];
    expect(found.map(({ summary }) => summary.phrase)).toEqual(['{0} started using {1} in {2}', ...again]);
    expect(found[0]).toMatchObject({
      type: 'tool',
      source: 'vscode',
      summary: { phrase: '{0} started using {1} in {2}' },
    });
    expect(found[0]?.summary.parameters.map(({ display }) => display)).toEqual([
      ada.name,
      'Claude Code',
      'Visual Studio Code',
    ]);
    expect(await events('claude')).toEqual([]);
    const several = [
      { within: 'tool' as const, field: 'id', predicate: 'in' as const, arguments: [claude?.id ?? '', 'nothing'] },
    ];
    const { events: either } = await server.as(org.owner, org.id)(queryEvents, { body: { filters: several } });
    expect(either).toHaveLength(found.length);
  });

  test('are shown only to their own person among contributors', async () => {
    const bob = await server.make.member(org.id, 'rol_contributor');
    expect(await namesOf(bob, { tab: 'developer' })).toEqual([]);
    await report(bob, [{ id: 'acme.helper', name: 'Helper' }], { deviceId: newId() });
    const { rows } = await server.as(bob, org.id)(listTools, { body: { tab: 'developer', search: 'helper' } });
    expect(rows[0]?.people).toMatchObject({ items: [{ name: bob.name }], total: 1 });
    const { members } = await server.as(bob, org.id)(listToolFilters, { query: { tab: 'developer' } });
    expect(members.map(({ label }) => label)).toEqual([bob.name]);
    expect(await namesOf(org.owner, { tab: 'developer', users: [await server.personOf(org.id, bob)] })).toEqual([
      'Helper',
      'Visual Studio Code',
    ]);
    const both = { tab: 'developer', users: [await server.personOf(org.id, ada)], projects: [api] };
    expect(await namesOf(org.owner, both)).toEqual(['Claude Code', 'Helper', 'Visual Studio Code']);
    expect(await namesOf(org.owner, { ...both, users: [await server.personOf(org.id, bob)] })).not.toContain(
      'Claude Code',
    );
  });

  test('belong to a repository only if its remote is on the same host', async () => {
    const remote = { deviceId: newId(), repositories: ['elsewhere.example/acme/site', 'code.example/acme/site/'] };
    await report(org.owner, [{ id: 'acme.here' }], remote);
    await report(org.owner, [{ id: 'acme.there' }], { ...remote, repositories: ['elsewhere.example/acme/site'] });
    const { rows } = await server.as(org.owner, org.id)(listTools, { body: { tab: 'developer', search: 'acme.' } });
    expect(rows.map(({ name, projects }) => [name, projects.total])).toEqual([
      ['acme.here', 1],
      ['acme.there', 0],
      ['Helper', 1],
    ]);
  });

  test('are derived from visits to assistant pages, and browsers from heartbeats', async () => {
    const eve = await server.make.member(org.id, 'rol_contributor');
    await viewPage(eve, 'https://claude.ai/chat/secret?q=1');
    await viewPage(eve, 'https://example.org/');
    const names = await namesOf(eve, { tab: 'developer' });
    expect(names).toHaveLength(1);
    await server.as(eve, org.id)(sendHeartbeat, {
      body: { side: 'browser', sessionId: newId(), type: 'firefox', version: '140.0' },
    });
    expect(await namesOf(eve, { tab: 'developer', sources: ['browser'] })).toContain('Firefox');
  });
});

const viewPage = async (who: TestAccount, uri: string) => {
  await server.as(who, org.id)(recordEvents, {
    body: [
      {
        plugin_id: 'sightline-browser',
        event_type: 'web_page_view',
        message_id: newId(),
        original_timestamp: new Date().toISOString(),
        tracking_source: 'chrome',
        content_uri: uri,
      },
    ],
  });
};

test('exports every tool with all people and projects and audits the export', async () => {
  const token = await server.token(org.owner, org.id);
  const answer = await fetch(`${server.url}/api${exportTools.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ tab: 'developer' }),
  });
  const lines = (await answer.text()).trimEnd().split('\r\n');
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="tools-developer-acme[^"]*\.csv"$/);
  expect(Number(answer.headers.get('x-total-count'))).toBe(lines.length - 1);
  expect(lines.find((line) => line.startsWith('"Helper"'))).toContain('"acme/api"');
});

test('shows which policies approve a tool and since when, with denials taking precedence', async () => {
  const acme = await server.make.organization('approvals');
  const owner = server.as(acme.owner, acme.id);
  const person = await server.personOf(acme.id, acme.owner);
  const entry = (id: string) => ({ id, name: id, vendor: null, icon: null, kind: 'cli' as const, categories: [] });
  const seen = { tab: 'developer' as const, personId: person, source: 'vscode' as const, at: new Date() };
  await inOrg(acme.id, (tx) =>
    recordSightings(tx, acme.id, [
      { ...seen, entry: entry('jq'), version: '1.7' },
      { ...seen, entry: entry('curl'), version: '8.1' },
      { ...seen, entry: entry('yq'), version: null },
      { ...seen, entry: entry('rg'), version: '14.0' },
    ]),
  );
  const policy = async (kind: 'tool-allow' | 'tool-deny', tools: { id: string; versions: string[] | null }[]) => {
    const scope = { repositories: null, branches: [], tools };
    const created = await owner(createPolicy, { body: { name: kind, kind, scope, settings: {} } });
    return approvePolicyChange(server, acme, created);
  };
  const allow = await policy('tool-allow', [
    { id: 'jq', versions: ['1.*'] },
    { id: 'curl', versions: null },
    { id: 'yq', versions: ['4.*'] },
  ]);
  const deny = await policy('tool-deny', [{ id: 'curl', versions: ['8.*'] }]);
  const listed = async (approvals: ('approved' | 'denied' | 'unreviewed')[] = []) =>
    (await owner(listTools, { body: { tab: 'developer', approvals } })).rows.map(({ id, approval }) => [
      id,
      approval.state,
      approval.policy?.id ?? null,
    ]);
  expect(await listed()).toEqual([
    ['curl', 'denied', deny.id],
    ['jq', 'approved', allow.id],
    ['rg', 'unreviewed', null],
    // To an unknown version, a decision on some versions does not apply.
    ['yq', 'unreviewed', null],
  ]);
  expect(await listed(['unreviewed'])).toHaveLength(2);
  expect(await listed(['denied'])).toEqual([['curl', 'denied', deny.id]]);
  expect(await listed(['denied', 'unreviewed'])).toHaveLength(3);
  expect(await listed(['approved'])).toEqual([['jq', 'approved', allow.id]]);
  const { approvals } = await owner(listToolFilters, { query: { tab: 'developer' } });
  expect(approvals.map(({ value, count }) => [value, count])).toEqual([
    ['approved', 1],
    ['denied', 1],
    ['unreviewed', 2],
  ]);
  const { approval } = await owner(getTool, { params: { toolId: 'jq' } });
  expect(approval).toEqual({
    state: 'approved',
    since: allow.from,
    versions: ['1.*'],
    policy: { id: allow.id, name: 'tool-allow', version: 1 },
  });
});

test('hides the tools of another organization', async () => {
  const other = await server.make.organization('other');
  const theirs = server.as(other.owner, other.id);
  expect((await theirs(listTools, { body: { projects: [api] } })).total).toBe(0);
  expect((await theirs(listToolFilters, {})).totals).toEqual({ cicd: 0, developer: 0 });
  const { id } = toolOfAction('aquasecurity/trivy-action');
  expect(await refusalOf(theirs(getTool, { params: { toolId: id } }))).toEqual({ status: 404, code: 'not_found' });
});

test.each([
  { period: '2026-02-31,2026-03-01' },
  { period: '2026-03-02,2026-03-01' },
  { period: '0000-01-01,2026-03-01' },
  { users: ['nobody'] },
  { sources: ['email'] },
  { page: 0 },
])('rejects the query %j with 400 and the field', async (body) => {
  expect(await refusalOf(server.as(org.owner, org.id)(listTools, { body: body as object }))).toMatchObject({
    status: 400,
    code: 'validation_failed',
  });
});

test('serves tool icons by name only', async () => {
  const icon = await server.app.inject({ url: '/icons/docker.svg' });
  expect([icon.statusCode, icon.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  for (const name of ['nothing.svg', 'docker', '..%2Fpackage.json', '..%2F..%2Fpackage.svg']) {
    expect([name, (await server.app.inject({ url: `/icons/${name}` })).statusCode]).toEqual([name, 404]);
  }
});
