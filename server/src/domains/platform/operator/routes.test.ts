import { inviteMembers } from '@sightline/contract/organization/invitations.ts';
import {
  cancelQueuedJob,
  failureKinds,
  type InstallationFailure,
  listInstallationFailures,
  listJobQueues,
  listQueuedJobs,
  type QueuedJob,
  retryInstallationFailure,
  retryQueuedJob,
} from '@sightline/contract/platform/operator.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#core/ids.ts';
import { listOperatorEntries } from '#core/operator-log.ts';
import { startTestServer, type TestAccount, type TestOrganization, type TestServer } from '#testing/server.ts';

let server: TestServer;
let operator: TestAccount;
let org: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  server = await startTestServer();
  [org, other] = [await server.make.organization('Acme'), await server.make.organization('Beta')];
  // A member of no organization.
  operator = await server.make.account();
  await setOperator(operator, true);
});
afterAll(() => server?.close());

const setOperator = ({ id }: TestAccount, isOperator: boolean) =>
  server.services.database.global(({ db }) =>
    db.updateTable('account').set({ is_operator: isOperator }).where('id', '=', id).execute(),
  );

interface InsertedJob {
  queue: string;
  orgId?: string;
  state?: string;
  message?: string;
  requestId?: string;
}

async function insertJob({ queue, orgId, state = 'failed', message = 'The host refused', requestId }: InsertedJob) {
  const id = newId();
  const isStarted = state !== 'created';
  await server.services.database.pool.query(
    `insert into pgboss.job (id, name, data, state, policy, retry_limit, retry_count, singleton_key, start_after, started_on, completed_on, output)
     values ($1::uuid, $2, $3, $4, 'short', 5, $5, $1::uuid::text, now() + interval '1 hour', $6, $7, $8)`,
    [
      ...[id, queue, { ...(orgId && { orgId }), ...(requestId && { requestId }), secret: 'payload of a job' }, state],
      ...[state === 'failed' ? 5 : 0, isStarted ? new Date() : null, state === 'failed' ? new Date() : null],
      isStarted ? { name: 'Error', message, stack: `Error: ${message}\n at secret-path.ts` } : null,
    ],
  );
  return id;
}

const listed = async (search: string): Promise<QueuedJob | undefined> =>
  (await server.as(operator)(listQueuedJobs, { query: { search } })).rows[0];

test('lists failed jobs of every organization with cause, request and attempts, but without their data', async () => {
  const requestId = newId();
  const message = 'connect ECONNREFUSED 10.1.2.3:443 for ada@example.org with token ghp_0123456789abcdefghij';
  const id = await insertJob({ queue: 'snapshots.make', orgId: org.id, message, requestId });
  await insertJob({ queue: 'snapshots.make', orgId: other.id });
  const { rows, total } = await server.as(operator)(listQueuedJobs, {
    query: { queue: ['snapshots.make'], state: ['failed'] },
  });
  expect([total, rows.map(({ organization }) => organization?.name)]).toEqual([2, ['Beta', 'Acme']]);
  expect(rows[1]).toEqual({
    id,
    queue: 'snapshots.make',
    state: 'failed',
    organization: { id: org.id, name: 'Acme' },
    requestId,
    attempts: 6,
    maxAttempts: 6,
    createdAt: expect.any(String),
    startedAt: expect.any(String),
    failedAt: expect.any(String),
    nextAttemptAt: null,
    cause: 'connect ECONNREFUSED …:443 for … with token …',
    canRetry: true,
    canCancel: false,
  });
  expect(JSON.stringify(rows)).not.toMatch(/payload|secret-path/);
  const { rows: found } = await server.as(operator)(listQueuedJobs, { query: { search: requestId } });
  expect(found.map((job) => job.id)).toEqual([id]);
  const { rows: none } = await server.as(operator)(listQueuedJobs, { query: { state: ['running'], search: id } });
  expect(none).toEqual([]);
});

test('counts the jobs of each queue', async () => {
  await insertJob({ queue: 'sarif.watch', state: 'created' });
  await insertJob({ queue: 'sarif.watch', state: 'retry' });
  await insertJob({ queue: 'sarif.watch', state: 'failed' });
  const queues = await server.as(operator)(listJobQueues, {});
  expect(queues.find(({ name }) => name === 'sarif.watch')).toMatchObject({
    waiting: 1,
    retrying: 1,
    running: 0,
    failed: 1,
    overdueSeconds: 0,
    lastFailedAt: expect.any(String),
  });
  expect(queues.filter(({ name }) => name.startsWith('_'))).toEqual([]);
});

test('retries a failed job once more, and records it in the audit log of its organization', async () => {
  const id = await insertJob({ queue: 'snapshots.make', orgId: org.id });
  const params = { queue: 'snapshots.make', jobId: id };
  const job = await server.as(operator)(retryQueuedJob, { params });
  expect(job).toMatchObject({ state: 'retrying', attempts: 6, maxAttempts: 7 });
  expect(Date.parse(job.nextAttemptAt ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
  const entries = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('audit_event').where('subject_id', '=', id).select(['action', 'actor_kind', 'actor_id']).execute(),
  );
  expect(entries).toEqual([{ action: 'job.retried', actor_kind: 'operator', actor_id: operator.id }]);
});

test('cancels a waiting job only if a schedule queues its work again', async () => {
  const id = await insertJob({ queue: 'tools.scan', orgId: org.id, state: 'created' });
  const cancel = server.as(operator);
  expect(await cancel(cancelQueuedJob, { params: { queue: 'tools.scan', jobId: id } })).toMatchObject({
    state: 'canceled',
    nextAttemptAt: null,
    canRetry: false,
    canCancel: false,
  });
  await expect(cancel(cancelQueuedJob, { params: { queue: 'tools.scan', jobId: id } })).rejects.toMatchObject({
    status: 409,
  });
  const erasure = await insertJob({ queue: 'erasure.run', orgId: org.id, state: 'created' });
  await expect(cancel(cancelQueuedJob, { params: { queue: 'erasure.run', jobId: erasure } })).rejects.toMatchObject({
    status: 409,
  });
  expect(await listed(erasure)).toMatchObject({ state: 'waiting', canCancel: false });
});

test('records a change of a job of the whole installation in the operator log', async () => {
  const id = await insertJob({ queue: 'digests.queue' });
  await server.as(operator)(retryQueuedJob, { params: { queue: 'digests.queue', jobId: id } });
  const entries = await server.services.database.global((tx) => listOperatorEntries(tx, 10));
  expect(entries.find(({ subject }) => subject.id === id)).toMatchObject({
    operator: operator.id,
    action: 'job.retried',
    data: { queue: 'digests.queue', before: { state: 'failed' }, after: { state: 'retrying' } },
  });
});

test('refuses owners, and an operator whose access was revoked', async () => {
  const former = await server.make.account();
  await setOperator(former, true);
  expect(await server.as(former)(listJobQueues, {})).not.toEqual([]);
  await setOperator(former, false);
  const id = await insertJob({ queue: 'snapshots.make', orgId: org.id });
  const params = { queue: 'snapshots.make', jobId: id };
  for (const call of [server.as(former), server.as(org.owner), server.as(org.owner, org.id)]) {
    const answers = await Promise.allSettled([
      call(listJobQueues, {}),
      call(listQueuedJobs, {}),
      call(listInstallationFailures, {}),
      call(retryQueuedJob, { params }),
      call(cancelQueuedJob, { params }),
      call(retryInstallationFailure, { params: { organizationId: org.id, kind: 'import', failureId: id } }),
    ]);
    expect(answers).toMatchObject(answers.map(() => ({ status: 'rejected', reason: { status: 403 } })));
  }
  expect(await listed(id)).toMatchObject({ state: 'failed' });
});

test('names the request that queued a job, as the audit log does', async () => {
  const invite = { emails: ['new@example.org'], roleID: 'rol_contributor' } as const;
  await server.as(org.owner, org.id)(inviteMembers, { body: { invite: { ...invite, emails: [...invite.emails] } } });
  const { request_id } = await server.services.database.withOrg(org.id, ({ db }) =>
    db.selectFrom('audit_event').where('action', '=', 'invitation.sent').select('request_id').executeTakeFirstOrThrow(),
  );
  expect(await listed(request_id ?? '')).toMatchObject({
    queue: 'invitation.mail',
    requestId: request_id,
    attempts: 0,
    organization: { id: org.id },
  });
});

test('lists failed imports and deliveries with their causes', async () => {
  const id = newId();
  const webhookId = newId();
  await server.services.database.withOrg(other.id, async ({ db }) => {
    await db
      .insertInto('webhook_delivery')
      .values({
        org_id: other.id,
        provider: 'github',
        delivery_id: id,
        event: 'push',
        body: '{"secret":1}',
        processed_at: new Date(),
        error: 'duplicate key value violates unique constraint "commit_pkey" for "Ada"',
      })
      .execute();
    await db
      .insertInto('outgoing_webhook')
      .values({
        org_id: other.id,
        id: webhookId,
        url: 'https://hooks.example/token',
        description: '',
        secret_sealed: Buffer.from('sealed'),
        created_by: other.owner.id,
      })
      .execute();
    const delivery = { id: newId(), type: 'finding.new', body: '{}', status: 'failed', attempts: 3 };
    await db
      .insertInto('outgoing_delivery')
      .values({ org_id: other.id, webhook_id: webhookId, ...delivery })
      .execute();
    await db
      .insertInto('chat_target')
      .values({
        org_id: other.id,
        id: newId(),
        service: 'teams',
        name: 'Security',
        secret_sealed: Buffer.from('sealed'),
        failing_since: new Date(),
        failures: 2,
        problem: 'The workflow of https://flows.example/trigger?sig=1 is disabled.',
        created_by: other.owner.id,
      })
      .execute();
    await db
      .insertInto('outgoing_attempt')
      .values({
        org_id: other.id,
        delivery_id: delivery.id,
        number: 3,
        ms: 4,
        failure: 'No response from https://hooks.example/token?key=1',
      })
      .execute();
  });
  const { rows } = await server.as(operator)(listInstallationFailures, { query: { search: other.id } });
  const organization = { id: other.id, name: 'Beta' };
  expect(rows.toSorted((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
    {
      kind: 'chat',
      item: 'teams',
      organization,
      attempts: 2,
      cause: 'The workflow of flows.example/… is disabled.',
    },
    {
      kind: 'host_webhook',
      id,
      item: 'push',
      organization,
      cause: 'duplicate key value violates unique constraint "commit_pkey" for "…"',
    },
    {
      kind: 'webhook',
      item: 'finding.new',
      organization,
      attempts: 3,
      nextAttemptAt: null,
      cause: 'No response from hooks.example/…',
    },
  ]);
  const { total } = await server.as(operator)(listInstallationFailures, {
    query: { search: other.id, kind: ['import'] },
  });
  expect(total).toBe(0);
});

test('retries a failed delivery, and records it in the audit log of its organization', async () => {
  const failure = async (kind: InstallationFailure['kind']) => {
    const { rows } = await server.as(operator)(listInstallationFailures, { query: { search: other.id, kind: [kind] } });
    return rows[0];
  };
  const webhook = await failure('webhook');
  const params = { organizationId: other.id, kind: 'webhook', failureId: webhook?.id ?? '' } as const;
  await server.as(operator)(retryInstallationFailure, { params });
  expect(await failure('webhook')).toBeUndefined();
  const entries = await server.services.database.withOrg(other.id, ({ db }) =>
    db.selectFrom('audit_event').where('subject_id', '=', params.failureId).select(['action', 'actor_id']).execute(),
  );
  expect(entries).toEqual([{ action: 'failure.retry_requested', actor_id: operator.id }]);
  await expect(server.as(operator)(retryInstallationFailure, { params })).rejects.toMatchObject({ status: 404 });
});

test('sends the messages of a failing chat channel at once', async () => {
  const find = async () => {
    const { rows } = await server.as(operator)(listInstallationFailures, {
      query: { search: other.id, kind: ['chat'] },
    });
    return rows[0];
  };
  const failing = await find();
  const params = { organizationId: other.id, kind: 'chat', failureId: failing?.id ?? '' } as const;
  await server.services.database.withOrg(other.id, ({ db }) =>
    db
      .updateTable('chat_target')
      .set({ resumes_at: new Date(Date.now() + 3_600_000) })
      .where('org_id', '=', other.id)
      .execute(),
  );
  await server.as(operator)(retryInstallationFailure, { params });
  expect(Date.parse((await find())?.nextAttemptAt ?? '')).toBeLessThanOrEqual(Date.now());
});

test.each(failureKinds)('responds with 404 to the retry of an unknown failure of the kind %s', async (kind) => {
  const params = { organizationId: org.id, kind, failureId: newId() };
  await expect(server.as(operator)(retryInstallationFailure, { params })).rejects.toMatchObject({ status: 404 });
});
