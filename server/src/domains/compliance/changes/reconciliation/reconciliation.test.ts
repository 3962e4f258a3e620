import {
  exportReconciledAgents,
  getChangeAgents,
  getReconciliationFilters,
  getReconciliationTrend,
  listReconciledAgents,
  listReconciliationGroups,
  type ReconciliationStatus,
} from '@sightline/contract/compliance/agent-reconciliation.ts';
import { createAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalOf, shareTestServer, type TestServer } from '#testing/server.ts';
import {
  claudeMessage,
  createDeveloper,
  createReconciliationScene,
  type ReconciliationScene,
} from './reconciliation.fixture.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server?.close());

const ownerOf = ({ org }: ReconciliationScene) => server.as(org.owner, org.id);
const statusesOf = async (scene: ReconciliationScene) => {
  const { rows } = await ownerOf(scene)(listReconciledAgents, { query: { perPage: 100, sort: 'date-asc' } });
  return rows.map(({ change, agent, status, missing }) => [change.number, agent, missing ?? status]);
};
/** The latest record of a change, as controls evaluate it. */
const recordOf = async (scene: ReconciliationScene, id: string) =>
  server.services.database.withOrg(scene.org.id, async ({ db }) => {
    const { rows } = await sql<{ version: number; cause: string; agents: unknown }>`
      select version, cause, parts -> 'agents' as agents from change_record where id = ${id} order by version desc limit 1`.execute(
      db,
    );
    return rows[0];
  });

/** Merges with a session each, without some sessions and some declarations, and the differences that are listed. */
async function differencesOf(count: number, without: number) {
  const scene = await createReconciliationScene(server, 4);
  // Removed in the middle, so that every developer has telemetry before and after.
  const [unobserved, undeclared] = [Math.floor(count / 3), Math.floor((2 * count) / 3)];
  const isRemoved = (number: number, from: number) => number >= from && number < from + without;
  for (let number = 0; number < count; number += 1) {
    const change = await scene.merge(number, { message: isRemoved(number, undeclared) ? 'Change' : claudeMessage });
    if (!isRemoved(number, unobserved)) expect(await scene.send(change)).toBe(200);
  }
  await scene.settle();
  const numbersOf = async (status: ReconciliationStatus) => {
    const query = { status: [status], perPage: 100 };
    const { rows, total } = await ownerOf(scene)(listReconciledAgents, { query: { ...query, sort: 'date-asc' } });
    return { total, numbers: rows.map(({ change }) => change.number) };
  };
  const removed = (from: number) => ({
    total: without,
    numbers: Array.from({ length: without }, (_, index) => from + index),
  });
  return {
    found: { declared: await numbersOf('declared_only'), observed: await numbersOf('observed_only') },
    expected: { declared: removed(unobserved), observed: removed(undeclared) },
    others: [
      (await numbersOf('declared_and_observed')).total,
      (await numbersOf('missing_evidence')).total,
      (await numbersOf('neither')).total,
    ],
  };
}

test('of 24 generated sessions, exactly those without a counterpart are differences', async () => {
  const { found, expected, others } = await differencesOf(24, 3);
  expect(found).toEqual(expected);
  expect(others).toEqual([18, 0, 0]);
});

test('of 500 generated sessions, exactly the 20 that were removed on either side are differences', {
  tags: 'full',
  timeout: 600_000,
}, async () => {
  const { found, expected, others } = await differencesOf(500, 20);
  expect(found).toEqual(expected);
  expect(others).toEqual([460, 0, 0]);
});

test('joins a session to all changes of its author, also if they are more than one batch', async () => {
  const scene = await createReconciliationScene(server, 1);
  const changes = [];
  for (let number = 1; number <= 5; number += 1) changes.push(await scene.merge(number));
  const last = changes.at(-1);
  if (!last) throw new Error('The scene has no changes');
  await scene.send(last);
  await scene.settle(2);
  expect((await statusesOf(scene)).map(([, , status]) => status)).toEqual([
    ...Array.from({ length: 4 }, () => 'declared_only'),
    'declared_and_observed',
  ]);
});

/** Without a session, models and MCP servers are unknown. */
const unused = { models: { state: 'missing' }, mcpServers: { state: 'missing' } };

describe('a declared agent', () => {
  test('is missing evidence without telemetry, and becomes observed when its session arrives', async () => {
    const scene = await createReconciliationScene(server, 1);
    const change = await scene.merge(1);
    expect(await statusesOf(scene)).toEqual([[1, 'Claude', 'telemetry']]);
    expect(await recordOf(scene, change.id)).toEqual({
      version: 1,
      cause: 'merge',
      agents: {
        state: 'partial',
        value: [{ agent: 'Claude', isDeclared: true, observed: 'unknown', ...unused, sessions: [] }],
      },
    });
    await scene.send(change);
    await scene.settle();
    expect(await statusesOf(scene)).toEqual([[1, 'Claude', 'declared_and_observed']]);
    expect(await recordOf(scene, change.id)).toMatchObject({
      version: 2,
      cause: 'session',
      agents: {
        state: 'complete',
        value: [
          {
            agent: 'Claude',
            observed: 'yes',
            sessions: [{ joins: ['branch'], confidence: 'medium', owner: { person: change.author.person } }],
          },
        ],
      },
    });
    // Repeated telemetry changes nothing.
    await scene.send(change);
    await scene.settle();
    expect((await recordOf(scene, change.id))?.version).toBe(2);
  });

  test('is declared only when later telemetry shows that its agent was connected', async () => {
    const scene = await createReconciliationScene(server, 2);
    const change = await scene.merge(1);
    const later = await scene.merge(40);
    await scene.send({ ...later, author: change.author });
    await scene.settle();
    expect((await statusesOf(scene))[0]).toEqual([1, 'Claude', 'declared_only']);
    // Telemetry of another agent shows nothing about this one.
    const other = await createReconciliationScene(server, 1);
    const declared = await other.merge(1, { message: 'Change\n\nCo-authored-by: Codex <noreply@openai.com>' });
    await other.send(declared, { isInRepository: false, branch: null });
    await other.settle();
    expect(await statusesOf(other)).toEqual([[1, 'Codex', 'telemetry']]);
  });

  test('is never observed by time alone', async () => {
    const scene = await createReconciliationScene(server, 1);
    const change = await scene.merge(1);
    await scene.send(change, { isInRepository: false, branch: null });
    await scene.settle();
    expect(await statusesOf(scene)).toEqual([[1, 'Claude', 'declared_only']]);
    const { agents, sessions } = await ownerOf(scene)(getChangeAgents, { params: { id: change.id } });
    expect(agents[0]?.sessions).toMatchObject([{ joins: ['time'], confidence: 'low' }]);
    expect(sessions).toBe(0);
  });

  test('is observed by the ID of its session in a note, at any time and without a repository', async () => {
    const scene = await createReconciliationScene(server, 1);
    const note = JSON.stringify({
      sessions: { s_1: { agent_id: { tool: 'claude', id: 'f1b7-noted', model: 'sonnet' } } },
    });
    const change = await scene.merge(1, { message: 'Change', note });
    await scene.send(change, {
      id: 'f1b7-noted',
      isInRepository: false,
      branch: null,
      at: new Date(change.startedAt.getTime() - 10 * 24 * 3_600_000),
    });
    await scene.settle();
    expect(await statusesOf(scene)).toEqual([[1, 'Claude', 'declared_and_observed']]);
    const { agents } = await ownerOf(scene)(getChangeAgents, { params: { id: change.id } });
    expect(agents[0]?.sessions).toMatchObject([{ joins: ['session_id'], confidence: 'high' }]);
  });

  test('is observed by the ID in a session link, which is flagged', async () => {
    const scene = await createReconciliationScene(server, 1);
    const message = 'Change\n\nhttps://claude.ai/code/session_01AbCdEf?token=secret';
    const change = await scene.merge(1, { message });
    await scene.send(change, { id: 'session_01AbCdEf', isInRepository: false, branch: null });
    await scene.settle();
    const { agents, sessionLinks } = await ownerOf(scene)(getChangeAgents, { params: { id: change.id } });
    expect(agents[0]?.sessions).toMatchObject([{ joins: ['session_id'], confidence: 'high' }]);
    expect(sessionLinks).toBe(1);
  });
});

describe('an observed session', () => {
  test('with a commit of the change proves the agent, also by the start of its SHA', async () => {
    const scene = await createReconciliationScene(server, 1);
    const change = await scene.merge(1, { message: 'Change' });
    await scene.send(change, {
      isInRepository: false,
      branch: null,
      attributes: {
        tool_name: 'Bash',
        tool_parameters: JSON.stringify({ bash_command: 'git', git_commit_id: change.sha.slice(0, 9) }),
      },
    });
    await scene.settle();
    expect(await statusesOf(scene)).toEqual([[1, 'Claude', 'observed_only']]);
    const { agents } = await ownerOf(scene)(getChangeAgents, { params: { id: change.id } });
    expect(agents[0]?.sessions).toMatchObject([{ joins: ['commit'], confidence: 'high' }]);
  });

  test('with a file of the change is joined by it, without storing the path', async () => {
    const scene = await createReconciliationScene(server, 1);
    const note = `src/pay/card.ts\n  s_1::t_1 1-4\n---\n${JSON.stringify({ sessions: { s_1: { agent_id: { tool: 'claude' } } } })}`;
    const change = await scene.merge(1, { message: 'Change', note });
    await scene.send(change, {
      isInRepository: false,
      branch: null,
      attributes: { tool_name: 'Edit', tool_input: JSON.stringify({ file_path: '/home/dev/api/src/pay/card.ts' }) },
    });
    await scene.settle();
    const { agents } = await ownerOf(scene)(getChangeAgents, { params: { id: change.id } });
    expect(agents).toMatchObject([
      { status: 'declared_and_observed', sessions: [{ joins: ['file'], confidence: 'medium' }] },
    ]);
    const stored = await server.services.database.withOrg(scene.org.id, async ({ db }) =>
      JSON.stringify([
        await db.selectFrom('agent_touch').selectAll().execute(),
        await db.selectFrom('agent_record').select('fields').execute(),
      ]),
    );
    expect(stored).not.toContain('card.ts');
  });

  test('of another person on the branch is a hint only', async () => {
    const scene = await createReconciliationScene(server, 1);
    const reviewer = await createDeveloper(server, scene.org);
    const change = await scene.merge(1, { message: 'Change' });
    await scene.send(change, { key: reviewer.key });
    await scene.settle();
    expect(await statusesOf(scene)).toEqual([[1, null, 'telemetry']]);
  });

  test('without a person is joined by its branch', async () => {
    const scene = await createReconciliationScene(server, 1);
    const { key } = await ownerOf(scene)(createAccessKey, { body: { name: 'Telemetry', use: 'telemetry' } });
    const change = await scene.merge(1, { message: 'Change' });
    await scene.send(change, { key });
    await scene.settle();
    expect(await statusesOf(scene)).toEqual([[1, 'Claude', 'observed_only']]);
  });

  test('remains in the record after its telemetry expired', async () => {
    const scene = await createReconciliationScene(server, 1);
    const change = await scene.merge(1);
    await scene.send(change);
    await scene.settle();
    await server.services.database.withOrg(scene.org.id, ({ db }) =>
      db.deleteFrom('agent_session').where('org_id', '=', scene.org.id).execute(),
    );
    await scene.merge(1);
    expect(await recordOf(scene, change.id)).toMatchObject({ version: 2, agents: { value: [{ observed: 'yes' }] } });
    const { agents } = await ownerOf(scene)(getChangeAgents, { params: { id: change.id } });
    expect(agents).toMatchObject([{ status: 'declared_and_observed', sessions: [{ isOpenable: false, cost: 0.5 }] }]);
  });
});

test('a change without agents is neither with connected telemetry, and missing evidence without', async () => {
  const scene = await createReconciliationScene(server, 2);
  const [connected] = scene.developers;
  const first = await scene.merge(1, { message: 'Change', ...(connected && { author: connected }) });
  await scene.merge(2, { message: 'Change', ...(scene.developers[1] && { author: scene.developers[1] }) });
  await scene.send(first, { isInRepository: false, branch: null, at: new Date(first.mergedAt.getTime() + 3_600_000) });
  await scene.settle();
  expect(await statusesOf(scene)).toEqual([
    [1, null, 'neither'],
    [2, null, 'telemetry'],
  ]);
});

test('costs are those of observed sessions, each once, and say what is missing', async () => {
  const scene = await createReconciliationScene(server, 1);
  const change = await scene.merge(1);
  await scene.send(change, { cost: 0.5 });
  await scene.send(change, { id: 'second', cost: null });
  const other = await scene.merge(2);
  await scene.send(other, { cost: 1 });
  await scene.settle();
  const ask = ownerOf(scene);
  expect(await ask(getChangeAgents, { params: { id: change.id } })).toMatchObject({
    sessions: 2,
    sessionsWithoutCost: 1,
    cost: 0.5,
  });
  const { rows } = await ask(listReconciliationGroups, { query: { by: 'agent' } });
  const sums = { changes: 2, sessions: 3, sessionsWithoutCost: 1, cost: 1.5 };
  expect(rows).toMatchObject([{ key: 'Claude', counts: { declared_and_observed: 2, neither: 0 }, ...sums }]);
  expect((await ask(listReconciliationGroups, { query: { by: 'model' } })).rows).toMatchObject([
    { key: 'claude-sonnet-5', ...sums },
  ]);
  expect((await ask(listReconciliationGroups, { query: { by: 'person' } })).rows).toMatchObject([
    { key: change.author.person, name: change.author.account.name, ...sums },
  ]);
  const { points } = await ask(getReconciliationTrend, { query: { days: 90 } });
  expect(points.reduce((sum, { counts }) => sum + counts.declared_and_observed, 0)).toBe(2);
  expect(points.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBe(1.5);
});

test('a contributor sees own changes and sessions only', async () => {
  const scene = await createReconciliationScene(server, 2);
  const changes = [await scene.merge(1), await scene.merge(2)];
  for (const change of changes) await scene.send(change);
  await scene.settle();
  const [, second] = changes;
  const mine = changes[0]?.author;
  if (!mine || !second) throw new Error('The scene has no changes');
  await server.services.database.withOrg(scene.org.id, ({ db }) =>
    db
      .insertInto('contributor')
      .values({
        org_id: scene.org.id,
        repository_id: scene.repositoryId,
        person_id: mine.person,
        name: mine.account.name,
        email: mine.account.email,
        commits: 1,
        last_commit: new Date(),
      })
      .execute(),
  );
  const ask = server.as(mine.account, scene.org.id);
  expect((await ask(listReconciledAgents, {})).rows.map(({ change }) => change.number)).toEqual([1]);
  expect((await ask(listReconciliationGroups, { query: { by: 'person' } })).rows.map(({ key }) => key)).toEqual([
    mine.person,
  ]);
  expect((await ask(getReconciliationFilters, {})).people.map(({ id }) => id)).toEqual([mine.person]);
  expect(await refusalOf(ask(getChangeAgents, { params: { id: second.id } }))).toMatchObject({ status: 404 });
});

test('exports the filtered list as CSV', async () => {
  const scene = await createReconciliationScene(server, 1);
  const change = await scene.merge(1);
  await scene.send(change);
  await scene.settle();
  const token = await server.token(scene.org.owner, scene.org.id);
  const lines = async (query: string) => {
    const answer = await fetch(`${server.url}/api${exportReconciledAgents.path}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await answer.text()).trimEnd().split('\r\n');
  };
  const [header, line] = await lines('status=declared_and_observed');
  expect(header).toContain('"agent","status","missing evidence"');
  expect(line).toContain('"Claude","declared_and_observed","","claude-sonnet-5"');
  expect(await lines('status=declared_only')).toHaveLength(1);
});
