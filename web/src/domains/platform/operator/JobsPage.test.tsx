// @vitest-environment happy-dom

import {
  cancelQueuedJob,
  listInstallationFailures,
  listJobQueues,
  listQueuedJobs,
  type QueuedJob,
  retryInstallationFailure,
  retryQueuedJob,
} from '@sightline/contract/platform/operator.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { FailuresPage } from './FailuresPage.tsx';
import { JobsPage } from './JobsPage.tsx';

const failed: QueuedJob = {
  id: '00000000-0000-4000-8000-000000000001',
  queue: 'tools.scan',
  state: 'failed',
  organization: { id: '00000000-0000-4000-8000-0000000000aa', name: 'Acme' },
  requestId: 'req-7',
  attempts: 6,
  maxAttempts: 6,
  createdAt: '2026-11-28T10:00:00.000Z',
  startedAt: '2026-11-28T10:01:00.000Z',
  failedAt: '2026-11-28T10:02:00.000Z',
  nextAttemptAt: null,
  cause: 'The disk is full',
  canRetry: true,
  canCancel: false,
};
const waiting: QueuedJob = {
  ...failed,
  id: '00000000-0000-4000-8000-000000000002',
  state: 'waiting',
  requestId: null,
  attempts: 0,
  cause: null,
  startedAt: null,
  failedAt: null,
  nextAttemptAt: '2026-11-28T11:00:00.000Z',
  canRetry: false,
  canCancel: true,
};

beforeEach(() => {
  signIn();
  const queue = { waiting: 0, running: 0, retrying: 0, failed: 0, overdueSeconds: 0, lastFailedAt: null };
  fakeApi.answer(listJobQueues, () => [
    { ...queue, name: 'digests.queue' },
    { ...queue, name: 'tools.scan', failed: 1, waiting: 1, overdueSeconds: 125, lastFailedAt: failed.failedAt },
  ]);
});

const open = (address = '/operator') => visitPage('/operator', JobsPage, address);

test('shows queues with jobs, and filters the jobs by a queue', async () => {
  const queries: unknown[] = [];
  fakeApi.answer(listQueuedJobs, ({ query }) => {
    queries.push(query);
    return { rows: [failed, waiting], total: 2 };
  });
  const page = open();
  const queues = await screen.findByRole('table', { name: 'Queues with jobs' });
  await userEvent.click(await within(queues).findByRole('button', { name: 'tools.scan' }));
  expect(within(queues).getByText('2 min overdue')).toBeTruthy();
  expect(within(queues).queryByText('digests.queue')).toBeNull();
  await waitFor(() => expect(page.search()).toMatchObject({ queue: 'tools.scan' }));
  expect(queries.at(-1)).toMatchObject({ queue: ['tools.scan'] });
});

test('shows the cause and the request of a failed job, and retries it', async () => {
  const retried: unknown[] = [];
  fakeApi.answer(listQueuedJobs, () => ({ rows: [failed], total: 1 }));
  fakeApi.answer(retryQueuedJob, ({ params }) => {
    retried.push(params);
    return { ...failed, state: 'retrying' as const };
  });
  open();
  const jobs = await screen.findByRole('table', { name: 'Background jobs' });
  expect(await within(jobs).findByText('The disk is full')).toBeTruthy();
  await userEvent.click(within(jobs).getByRole('button', { name: 'tools.scan' }));
  const dialog = await screen.findByRole('dialog', { name: 'tools.scan' });
  expect(within(dialog).getByText('req-7')).toBeTruthy();
  expect(within(dialog).queryByRole('button', { name: 'Cancel job' })).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Retry now' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(retried).toEqual([{ queue: 'tools.scan', jobId: failed.id }]);
});

test('cancels a queued job after a confirmation', async () => {
  const canceled: unknown[] = [];
  fakeApi.answer(listQueuedJobs, () => ({ rows: [waiting], total: 1 }));
  fakeApi.answer(cancelQueuedJob, ({ params }) => {
    canceled.push(params);
    return { ...waiting, state: 'canceled' as const };
  });
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for tools.scan' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Cancel job' }));
  const dialog = await screen.findByRole('dialog', { name: 'Cancel the job tools.scan?' });
  expect(canceled).toEqual([]);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel job' }));
  await waitFor(() => expect(canceled).toEqual([{ queue: 'tools.scan', jobId: waiting.id }]));
});

test('tells others how to become an operator', async () => {
  for (const endpoint of [listJobQueues, listQueuedJobs]) {
    fakeApi.refuse(endpoint, 403, 'forbidden', 'Only an operator of this installation can see its background work.');
  }
  open();
  expect(await screen.findByText('Only operators of this installation have access')).toBeTruthy();
  expect(screen.getByText('sightline user operator ADDRESS on')).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
});

test('lists failed imports and deliveries with the reason, and retries them', async () => {
  const retried: unknown[] = [];
  fakeApi.answer(retryInstallationFailure, ({ params }) => {
    retried.push(params);
    return null;
  });
  fakeApi.answer(listInstallationFailures, () => ({
    rows: [
      {
        kind: 'import' as const,
        id: failed.id,
        item: 'github',
        organization: failed.organization,
        failedAt: '2026-11-28T10:02:00.000Z',
        attempts: 3,
        nextAttemptAt: null,
        cause: 'GitHub returned 500',
      },
    ],
    total: 1,
  }));
  visitPage('/operator/failures', FailuresPage, '/operator/failures');
  const table = await screen.findByRole('table', { name: 'Failed imports and deliveries' });
  expect(await within(table).findByText('GitHub returned 500')).toBeTruthy();
  expect(within(table).getByText('Acme')).toBeTruthy();
  await userEvent.click(within(table).getByRole('button', { name: 'Actions for Import github' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Retry now' }));
  const params = { organizationId: failed.organization?.id, kind: 'import', failureId: failed.id };
  await waitFor(() => expect(retried).toEqual([params]));
});
