// @vitest-environment happy-dom

import { listAccessKeys, revokeAccessKey } from '@sightline/contract/identity/access-keys.ts';
import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '#app/query-client.ts';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn } from '#testing/visitPage.tsx';
import { toast } from '#ui/toast.ts';
import { call, endpointQuery } from './api.ts';
import { useChange } from './change.ts';

const query = { page: 1, perPage: 10, search: '', sort: 'date-desc' } as const;
const params = { accessKeyId: '01890000-0000-7000-8000-000000000000' };
const requests = { keys: 0, repositories: 0 };
let revoke: { mutateAsync: () => Promise<unknown> };

function Page({ onDone }: { onDone?: () => void }) {
  useQuery(endpointQuery(listAccessKeys, { query }));
  useQuery(endpointQuery(listRepositories, { query }));
  revoke = useChange(() => call(revokeAccessKey, { params }), onDone);
  return null;
}

const open = (onDone?: () => void) =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Page {...(onDone && { onDone })} />
    </QueryClientProvider>,
  );

beforeEach(() => {
  signIn('rol_owner');
  Object.assign(requests, { keys: 0, repositories: 0 });
  fakeApi.answer(listAccessKeys, () => {
    requests.keys += 1;
    return { rows: [], total: 0 };
  });
  fakeApi.answer(listRepositories, () => {
    requests.repositories += 1;
    return { rows: [], total: 0 };
  });
  fakeApi.answer(revokeAccessKey, () => null);
});
afterEach(cleanup);

test('reloads the reads of the topics that the mutation changes, and no others', async () => {
  open();
  await vi.waitUntil(() => requests.keys === 1 && requests.repositories === 1);
  await act(() => revoke.mutateAsync());
  expect(requests).toEqual({ keys: 2, repositories: 1 });
});

test('reloads after a failure too, and shows it as a toast', async () => {
  const error = vi.spyOn(toast, 'error').mockReturnValue(undefined as never);
  fakeApi.refuse(revokeAccessKey, 409, 'conflict', 'The access key was revoked before.');
  open();
  await vi.waitUntil(() => requests.keys === 1);
  await act(() => revoke.mutateAsync().catch(() => undefined));
  expect(requests.keys).toBe(2);
  expect(error).toHaveBeenCalledWith('The access key was revoked before.');
});

test('calls onSuccess after its component is gone', async () => {
  let done = 0;
  const { unmount } = open(() => {
    done += 1;
  });
  const { mutateAsync } = revoke;
  unmount();
  await mutateAsync();
  expect(done).toBe(1);
});

test('reloads nothing without a mounted client', async () => {
  const { unmount } = open();
  await vi.waitUntil(() => requests.keys === 1);
  unmount();
  await call(revokeAccessKey, { params });
  expect(requests.keys).toBe(1);
});
