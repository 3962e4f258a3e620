import { gzipSync } from 'node:zlib';
import {
  createAccessKey,
  createPersonalKey,
  listPersonalKeys,
  MAX_PERSONAL_KEYS,
  revokePersonalKey,
} from '@sightline/contract/identity/access-keys.ts';
import { deactivateMember } from '@sightline/contract/organization/members.ts';
import { archiveOrganization } from '@sightline/contract/organization/organizations.ts';
import {
  getAgentSession,
  getAgentSessionFilters,
  getAgentSetup,
  listAgentRecords,
  listAgentSessions,
} from '@sightline/contract/tools/agent-sessions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { createTestRepository } from '#testing/findings.ts';
import { refusalOf, shareTestServer, type TestOrganization, type TestServer } from '#testing/server.ts';
import { sampleUnlessFull } from '../../../../../scripts/full-suite.ts';
import { canary, vendorExamples } from './testing/examples.ts';
import { encodings, postTelemetry, type SentTelemetry, sendTelemetry } from './testing/otlp.ts';
import { agentVendors } from './vendors.ts';

let server: TestServer;
beforeAll(async () => {
  server = await shareTestServer();
});
afterAll(() => server?.close());

async function scene() {
  const org = await server.make.organization();
  const ask = server.as(org.owner, org.id);
  const { key } = await ask(createAccessKey, { body: { name: 'Telemetry', use: 'telemetry' } });
  return { org, ask, key };
}

const rowsOf = (org: TestOrganization, table: string) =>
  server.services.database.withOrg(org.id, async ({ db }) => {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} t order by 1`.execute(
      db,
    );
    return rows.map(({ row }) => row);
  });

const prompt = (session: string, second = 0, attributes: SentTelemetry['resource'] = {}): SentTelemetry => ({
  signal: 'logs',
  resource: { 'service.name': 'claude-code' },
  records: [
    {
      name: 'claude_code.user_prompt',
      at: new Date(Date.UTC(2026, 10, 2, 10, 0, second)).toISOString(),
      attributes: { 'session.id': session, 'event.sequence': second, prompt_length: 5, ...attributes },
    },
  ],
});

describe('the published telemetry of each vendor', () => {
  test('has an example', () => {
    expect(agentVendors.map(({ id }) => id).toSorted()).toEqual(Object.keys(vendorExamples).toSorted());
  });

  test.each(sampleUnlessFull(Object.entries(vendorExamples), 2, 0))(
    '%s becomes the same session in every encoding',
    async (_id, example) => {
      const digests: string[][] = [];
      for (const encoding of encodings) {
        const { org, ask, key } = await scene();
        for (const telemetry of example.telemetry) {
          const answer = await sendTelemetry(server.url, key, telemetry, encoding);
          expect(answer.status).toBe(200);
          expect(answer.headers.get('content-type')).toContain(
            encoding.startsWith('json') ? 'application/json' : 'application/x-protobuf',
          );
          // Nothing was rejected.
          expect(answer.body.toString()).toBe(encoding.startsWith('json') ? '{}' : '');
        }
        const { rows, total } = await ask(listAgentSessions, {});
        const { agent, vendorSessionId, version, models, totals } = rows[0] ?? {};
        expect([total, { agent: agent?.name, vendorSessionId, version, models, totals }]).toEqual([1, example.session]);
        const records = await ask(listAgentRecords, {
          params: { sessionId: rows[0]?.id ?? '' },
          query: { perPage: 100 },
        });
        digests.push(records.rows.map(({ id }) => id).toSorted());
        for (const table of ['agent_session', 'agent_record', 'agent_total', 'ledger_pending', 'identity']) {
          expect((await rowsOf(org, table)).join('\n')).not.toContain(canary);
        }
      }
      expect(new Set(digests.map((ids) => ids.join())).size).toBe(1);
      expect(digests[0]?.length).toBeGreaterThan(1);
    },
  );
});

describe('delivery', () => {
  test('is idempotent, also concurrently and in parts, with one ledger entry for each stored batch', async () => {
    const { org, ask, key } = await scene();
    const { telemetry } = vendorExamples['claude-code'] ?? { telemetry: [] };
    const parts = telemetry.flatMap((one) => one.records.map((record) => ({ ...one, records: [record] })));
    const answers = await Promise.all(
      [...parts, ...telemetry, ...parts.toReversed(), ...telemetry].map((one) => sendTelemetry(server.url, key, one)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { rows } = await ask(listAgentSessions, {});
    expect(rows.map(({ totals }) => totals)).toEqual([vendorExamples['claude-code']?.session.totals]);
    const records = await rowsOf(org, 'agent_record');
    const entries = await server.services.database.withOrg(org.id, ({ db }) =>
      sql<{ n: number; entries: number }>`
        select sum((entry::json->'subject'->>'count')::int)::int as n, count(*)::int as entries from (
          select entry from ledger_pending where kind = 'agent_session.batch'
          union all select entry_text(l) from ledger_entry l where kind = 'agent_session.batch') e`.execute(db),
    );
    expect(entries.rows[0]?.n).toBe(records.length);
    await sendTelemetry(server.url, key, telemetry[0] as SentTelemetry);
    expect(await rowsOf(org, 'agent_record')).toEqual(records);
  });

  test('of cumulative metrics counts the largest value of each series, in any order, and restarts', async () => {
    const { ask, key } = await scene();
    const point = (value: number, minute: number, start: string, type = 'input'): SentTelemetry => ({
      signal: 'metrics',
      resource: { 'service.name': 'claude-code' },
      records: [
        {
          name: 'claude_code.token.usage',
          at: `2026-11-02T10:${minute}:00.000Z`,
          cumulativeSince: start,
          value,
          attributes: { 'session.id': 's1', type, model: 'claude-sonnet-5' },
        },
      ],
    });
    const [first, second] = ['2026-11-02T10:00:00.000Z', '2026-11-02T10:30:00.000Z'];
    for (const one of [point(10, 10, first), point(25, 12, first), point(20, 11, first), point(4, 31, second)]) {
      await sendTelemetry(server.url, key, one);
    }
    await sendTelemetry(server.url, key, point(7, 12, first, 'output'));
    const { rows } = await ask(listAgentSessions, {});
    expect(rows[0]?.totals).toEqual({ inputTokens: 29, outputTokens: 7 });
  });

  test('prefers logs to traces and metrics, measure by measure', async () => {
    const { ask, key } = await scene();
    for (const one of vendorExamples['claude-code']?.telemetry.toReversed() ?? []) {
      await sendTelemetry(server.url, key, one);
    }
    const { rows } = await ask(listAgentSessions, {});
    const session = await ask(getAgentSession, { params: { sessionId: rows[0]?.id ?? '' } });
    expect(session.totals.inputTokens).toBe(120);
    expect(session.totals.commits).toBe(1);
    expect(session.signals).toEqual(['logs', 'metrics']);
    expect(session.byModel).toMatchObject([
      { model: 'claude-sonnet-5', totals: { inputTokens: 120, costUsd: 0.0125 } },
    ]);
  });

  test('rejects what it cannot assign, and stores the rest', async () => {
    const { ask, key } = await scene();
    const good = prompt('s1');
    const mixed: SentTelemetry = {
      ...good,
      records: [
        ...good.records,
        { ...(good.records[0] as never as SentTelemetry['records'][number]), attributes: {} },
        { ...(good.records[0] as never as SentTelemetry['records'][number]), at: '2999-01-01T00:00:00.000Z' },
        { name: 'claude_code.unknown', at: '2026-11-02T10:00:00.000Z', attributes: {} },
      ],
    };
    const answer = await sendTelemetry(server.url, key, mixed);
    expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([
      200,
      {
        partialSuccess: {
          rejectedLogRecords: '2',
          errorMessage: '1: no session; 1: outside the retention period',
        },
      },
    ]);
    const other = await sendTelemetry(server.url, key, { ...good, resource: { 'service.name': 'shop' } }, 'protobuf');
    expect(other.body.toString()).toContain('1: unknown agent');
    expect((await ask(listAgentSessions, {})).total).toBe(1);
  });

  test.each([
    ['not JSON', { 'content-type': 'application/json' }, Buffer.from(`{"a": ${canary}`), 400],
    ['another shape', { 'content-type': 'application/json' }, Buffer.from('{"resourceLogs":[1]}'), 400],
    ['not protobuf', { 'content-type': 'application/x-protobuf' }, Buffer.from('zzzz'), 400],
    ['not gzip', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, Buffer.from('{}'), 400],
    ['an unknown encoding', { 'content-type': 'application/json', 'content-encoding': 'br' }, Buffer.from('{}'), 415],
    ['an unknown type', { 'content-type': 'text/plain' }, Buffer.from('{}'), 415],
    [
      'a small body that expands',
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      gzipSync(Buffer.alloc(64 * 1024 * 1024, ' ')),
      413,
    ],
    ['a large body', { 'content-type': 'application/json' }, Buffer.alloc(5 * 1024 * 1024, ' '), 413],
  ])('refuses %s', async (_name, headers, body, status) => {
    const { key } = await scene();
    const answer = await postTelemetry(server.url, 'logs', {
      headers: { ...headers, authorization: `Bearer ${key}` },
      body,
    });
    expect(answer.status).toBe(status);
    expect(answer.body.toString()).not.toContain(canary);
    expect(answer.headers.get('content-type')).toContain(
      headers['content-type'] === 'application/x-protobuf' ? 'application/x-protobuf' : 'application/json',
    );
  });

  test('accepts an empty request', async () => {
    const { key } = await scene();
    const headers = { 'content-type': 'application/x-protobuf', authorization: `Bearer ${key}` };
    expect((await postTelemetry(server.url, 'traces', { headers, body: Buffer.alloc(0) })).status).toBe(200);
  });
});

describe('a sender', () => {
  test('with a personal key is the person, whatever the telemetry declares', async () => {
    const { org, ask } = await scene();
    const member = await server.make.member(org.id, 'rol_contributor');
    const other = await server.make.member(org.id, 'rol_contributor');
    const { key } = await server.as(member, org.id)(createPersonalKey, { body: { name: 'Laptop' } });
    await sendTelemetry(server.url, key, prompt('s1', 0, { 'user.email': org.owner.email }));
    await sendTelemetry(server.url, await server.token(other, org.id), prompt('s1', 1));
    const { rows } = await ask(listAgentSessions, { query: { sort: 'date-asc' } });
    expect(rows.map(({ person, personSource, totals }) => [person?.name, personSource, totals.prompts])).toEqual([
      [member.name, 'key', 1],
      [other.name, 'key', 1],
    ]);
    const mine = await server.as(member, org.id)(listAgentSessions, {});
    expect(mine.rows.map(({ id }) => id)).toEqual([rows[0]?.id]);
    const theirs = { params: { sessionId: rows[1]?.id ?? '' } };
    for (const endpoint of [getAgentSession, listAgentRecords] as const) {
      expect(await refusalOf(server.as(member, org.id)(endpoint, theirs))).toEqual({ status: 404, code: 'not_found' });
    }
  });

  test('with a key of the organization declares the person by address', async () => {
    const { org, ask, key } = await scene();
    const member = await server.make.member(org.id, 'rol_contributor');
    await sendTelemetry(server.url, key, prompt('s1'));
    await sendTelemetry(server.url, key, prompt('s1', 1, { 'user.email': member.email.toUpperCase() }));
    await sendTelemetry(server.url, key, prompt('s2', 2, { 'user.email': 'stranger@example.org' }));
    await sendTelemetry(server.url, key, prompt('s3', 3, { 'user.email': 'no address' }));
    const { rows } = await ask(listAgentSessions, { query: { sort: 'date-asc' } });
    expect(
      rows.map(({ vendorSessionId, person, personSource }) => [vendorSessionId, person?.name, personSource]),
    ).toEqual([
      ['s1', member.name, 'declared'],
      ['s2', 'stranger@example.org', 'declared'],
      ['s3', undefined, 'unknown'],
    ]);
    expect((await server.as(member, org.id)(listAgentSessions, {})).total).toBe(1);
  });

  test('needs a valid key for telemetry or the token of a member', async () => {
    const { org, ask } = await scene();
    const { key: sarif } = await ask(createAccessKey, { body: { name: 'CI' } });
    const member = await server.make.member(org.id, 'rol_contributor');
    const asMember = server.as(member, org.id);
    const { key, accessKey } = await asMember(createPersonalKey, { body: { name: 'Laptop' } });
    for (const token of [sarif, 'sightline_x', 'nothing', `${key}x`]) {
      const answer = await sendTelemetry(server.url, token, prompt('s1'), 'protobuf');
      expect([token, answer.status]).toEqual([token, 401]);
      expect(answer.body.toString()).toContain('Sign in to continue.');
    }
    expect((await sendTelemetry(server.url, key, prompt('s1'))).status).toBe(200);
    await asMember(revokePersonalKey, { params: { accessKeyId: accessKey.id } });
    expect((await sendTelemetry(server.url, key, prompt('s1'))).status).toBe(401);
    const { key: second } = await asMember(createPersonalKey, { body: { name: 'Laptop' } });
    await ask(deactivateMember, { params: { userId: member.id } });
    expect((await sendTelemetry(server.url, second, prompt('s1'))).status).toBe(401);
  });

  test('cannot write to an archived organization', async () => {
    const { ask, key } = await scene();
    await ask(archiveOrganization, {});
    expect((await sendTelemetry(server.url, key, prompt('s1'))).status).toBe(409);
  });

  test('has at most ten personal keys and sees only their own', async () => {
    const { org, ask } = await scene();
    const member = await server.make.member(org.id, 'rol_auditor');
    const asMember = server.as(member, org.id);
    for (let count = 0; count < MAX_PERSONAL_KEYS; count += 1) {
      await asMember(createPersonalKey, { body: { name: `Key ${count}` } });
    }
    expect(await refusalOf(asMember(createPersonalKey, { body: { name: 'One more' } }))).toEqual({
      status: 409,
      code: 'conflict',
    });
    expect(await asMember(listPersonalKeys, {})).toHaveLength(MAX_PERSONAL_KEYS);
    expect(await ask(listPersonalKeys, {})).toEqual([]);
  });
});

describe('a session', () => {
  test('has an enabled repository that the telemetry names, for those who may see it', async () => {
    const { org, ask } = await scene();
    const repositoryId = await createTestRepository(server, org, 'api');
    const { html_url: url } = await server.services.database.withOrg(org.id, ({ db }) =>
      db.selectFrom('repository').select('html_url').where('org_id', '=', org.id).executeTakeFirstOrThrow(),
    );
    const member = await server.make.member(org.id, 'rol_contributor');
    const { key } = await server.as(member, org.id)(createPersonalKey, { body: { name: 'Laptop' } });
    const attributes = { 'vcs.repository.url.full': `${url}.git`, 'vcs.ref.head.name': 'main' };
    await sendTelemetry(server.url, key, prompt('s1', 0, attributes));
    await sendTelemetry(
      server.url,
      key,
      prompt('s2', 1, { 'vcs.repository.url.full': 'https://git.example/acme/other' }),
    );
    const { rows } = await ask(listAgentSessions, { query: { sort: 'date-asc' } });
    expect(rows.map(({ repository, branch }) => [repository?.id, branch])).toEqual([
      [repositoryId, 'main'],
      [undefined, null],
    ]);
    expect((await ask(listAgentSessions, { query: { repository: [repositoryId] } })).total).toBe(1);
    // The contributor has no commits there.
    const mine = await server.as(member, org.id)(listAgentSessions, { query: { sort: 'date-asc' } });
    expect(mine.rows.map(({ repository }) => repository)).toEqual([null, null]);
    expect((await server.as(member, org.id)(getAgentSessionFilters, {})).repositories).toEqual([]);
  });

  test('is found by agent, model, person and period', async () => {
    const { ask, key } = await scene();
    for (const { telemetry } of Object.values(vendorExamples)) {
      for (const one of telemetry) await sendTelemetry(server.url, key, one);
    }
    const filters = await ask(getAgentSessionFilters, {});
    expect(filters.agents.map(({ id }) => id).toSorted()).toEqual(Object.keys(vendorExamples).toSorted());
    expect(filters.models).toContain('gpt-5.2-codex');
    expect(filters.people.map(({ name }) => name)).toEqual(['dev@example.org']);
    const totalOf = async (query: object) => (await ask(listAgentSessions, { query })).total;
    expect(await totalOf({ agent: ['codex', 'copilot'] })).toBe(2);
    expect(await totalOf({ model: ['gpt-5.2'] })).toBe(2);
    expect(await totalOf({ person: [filters.people[0]?.id] })).toBe(3);
    expect(await totalOf({ period: '2026-11' })).toBe(5);
    expect(await totalOf({ period: '2026-10' })).toBe(0);
    expect(await totalOf({ search: 'c0de' })).toBe(1);
    expect(await refusalOf(ask(getAgentSession, { params: { sessionId: newId() } }))).toMatchObject({ status: 404 });
  });

  test('lists its records in order, with what they count', async () => {
    const { ask, key } = await scene();
    for (const one of vendorExamples['claude-code']?.telemetry ?? []) await sendTelemetry(server.url, key, one);
    const sessionId = (await ask(listAgentSessions, {})).rows[0]?.id ?? '';
    const { rows } = await ask(listAgentRecords, { params: { sessionId }, query: { perPage: 7 } });
    expect(
      rows.map(({ kind, tool, mcpServer, decision, success }) => [kind, tool, mcpServer, decision, success]),
    ).toEqual([
      ['prompt', null, null, null, null],
      ['model_request', null, null, null, null],
      ['tool_decision', 'Edit', null, 'accepted', null],
      ['tool_call', 'Edit', null, null, true],
      ['tool_decision', 'Write', null, 'rejected', null],
      ['tool_call', 'mcp__linear__get_issue', 'linear', null, false],
      ['model_error', null, null, null, null],
    ]);
    expect(rows[0]).toMatchObject({ promptLength: 42, measures: { prompts: 1 } });
    const found = await ask(listAgentRecords, {
      params: { sessionId },
      query: { kind: ['tool_call'], search: 'linear' },
    });
    expect(found.total).toBe(1);
  });
});

test('stores the hash of a prompt under the key of its person only', async () => {
  const { org, key } = await scene();
  const hashes = async () => {
    const { rows } = await server.services.database.withOrg(org.id, ({ db }) =>
      sql<{ hash: string | null }>`select encode(r.prompt_hash, 'hex') as hash from agent_record r
        join agent_session s on s.org_id = r.org_id and s.id = r.session_id order by s.vendor_session`.execute(db),
    );
    return rows.map(({ hash }) => hash);
  };
  const text = { prompt: `the same ${canary}` };
  await sendTelemetry(server.url, key, prompt('s1', 0, { ...text, 'user.email': 'a@example.org' }));
  await sendTelemetry(server.url, key, prompt('s2', 1, { ...text, 'user.email': 'a@example.org' }));
  await sendTelemetry(server.url, key, prompt('s3', 2, { ...text, 'user.email': 'b@example.org' }));
  await sendTelemetry(server.url, key, prompt('s4', 3, text));
  await sendTelemetry(server.url, key, prompt('s5', 4, { prompt: '<REDACTED>', 'user.email': 'a@example.org' }));
  const [first, second, third, ...others] = await hashes();
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  expect(others).toEqual([null, null]);
});

test('the setup has the address of the server and a place for the key, and says when a record arrived', async () => {
  const { ask, key } = await scene();
  const before = await ask(getAgentSetup, {});
  for (const { personal, organization, lastReceivedAt } of before) {
    for (const files of [personal, organization]) {
      const text = files.map((file) => file.text).join('\n');
      expect(text).toContain(server.config.PUBLIC_URL);
      expect(text).toContain('{key}');
    }
    expect(lastReceivedAt).toBeNull();
  }
  await sendTelemetry(server.url, key, prompt('s1'));
  const received = (await ask(getAgentSetup, {})).filter(({ lastReceivedAt }) => lastReceivedAt !== null);
  expect(received.map(({ id }) => id)).toEqual(['claude-code']);
});
