import { createPolicy, listPolicies } from '@sightline/contract/compliance/policies.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer } from '#testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ environment: { LOG_LEVEL: 'silent' } });
});
afterAll(() => server.close());

test('a failing after-commit task is logged and fails neither the request nor later tasks', async () => {
  const org = await server.make.organization();
  const owner = server.as(org.owner, org.id);
  const { realtime, log, database } = server.services;
  const failure = new Error('the task failed');
  const error = vi.spyOn(log, 'error');
  const notify = vi.spyOn(realtime, 'notifyOrganization').mockImplementation(() => {
    throw failure;
  });
  const scope = { repositories: null, branches: [], tools: [] };
  const body = { name: 'Secrets', kind: 'sla', mode: 'observe', scope, settings: { 'VUL-02': { limit: 2 } } } as const;
  const { policy } = await owner(createPolicy, { body });
  expect(notify).toHaveBeenCalled();
  notify.mockRestore();
  expect((await owner(listPolicies, {})).rows).toMatchObject([{ id: policy?.id }]);
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ err: failure }), 'task after commit failed');

  const later = vi.fn();
  const result = await database.withOrg(org.id, async (tx) => {
    tx.afterCommit(() => {
      throw failure;
    });
    tx.afterCommit(later);
    return 'committed';
  });
  expect([result, later.mock.calls.length]).toEqual(['committed', 1]);
});
