import { listMembers } from '@sightline/contract/organization/members.ts';
import { expect, test } from 'vitest';
import { startTestServer } from '../testing/server.ts';

test.each([
  ['on', 3],
  ['off', 0],
])(
  'with ACCESS_LOG=%s, logs %i of three requests by route, account and status, without their query',
  async (state, count) => {
    const lines: Record<string, unknown>[] = [];
    const server = await startTestServer({
      onLog: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
      environment: { ACCESS_LOG: state, LOG_LEVEL: 'error' },
    });
    const { id, owner } = await server.make.organization();
    await server.as(owner, id)(listMembers, { query: { search: 'quokka' } });
    await server.app.inject('/api/account/me');
    await server.app.inject('/no/such/page?search=quokka');
    await server.app.inject('/api/health/live');
    await server.close();
    const access = lines.filter(({ log }) => log === 'access');
    expect(access).toHaveLength(count);
    expect(JSON.stringify(lines)).not.toContain('quokka');
    if (count === 0) return;
    expect(access[0]).toMatchObject({
      method: 'GET',
      route: '/api/v2/auth0mgm/org/members',
      status: 200,
      account: owner.id,
      ms: expect.any(Number),
      address: '127.0.0.1',
      reqId: expect.any(String),
    });
    expect(access[1]).toMatchObject({ route: '/api/account/me', status: 401 });
    expect(access[1]).not.toHaveProperty('account');
  },
);
