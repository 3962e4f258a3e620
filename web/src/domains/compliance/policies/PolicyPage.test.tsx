// @vitest-environment happy-dom
import {
  deletePolicy,
  getPoliciesStatus,
  getPolicy,
  listPolicyKinds,
  type PolicyDetail,
  restorePolicy,
} from '@sightline/contract/compliance/policies.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visit.tsx';
import { toast } from '#ui/toast.ts';
import { PolicyPage } from './PolicyPage.tsx';

const policy: PolicyDetail = {
  id: '01890000-0000-7000-8000-000000000000',
  version: 1,
  name: 'Secrets',
  kind: 'sla',
  scope: { repositories: null, branches: [], tools: [] },
  settings: { 'VUL-02': { limit: 3 } },
  mode: 'observe',
  from: '2026-11-01T00:00:00.000Z',
  until: null,
  author: { id: 'account', name: 'Ada' },
  repositories: [],
  allowed: { change: false, delete: true, restore: false },
  versions: [],
};

afterEach(() => vi.restoreAllMocks());

test('reports why Undo could not restore a policy after the page was closed', async () => {
  signIn('rol_owner');
  fakeApi.answer(getPolicy, () => policy);
  fakeApi.answer(getPoliciesStatus, () => []);
  fakeApi.answer(listPolicyKinds, () => []);
  fakeApi.answer(deletePolicy, () => null);
  fakeApi.refuse(restorePolicy, 409, 'conflict', 'There are 200 policies already.');
  const offer = vi.spyOn(toast, 'offer');
  const error = vi.spyOn(toast, 'error');
  const { address } = visitPage('/policies/$policyId', PolicyPage, `/policies/${policy.id}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(address()).toBe('/policies'));
  const [, , undo] = offer.mock.lastCall ?? [];
  undo?.();
  await waitFor(() => expect(error).toHaveBeenCalledWith('There are 200 policies already.'));
});
