// @vitest-environment happy-dom
import {
  deletePolicy,
  getPoliciesStatus,
  getPolicy,
  listPolicyKinds,
  type PolicyChange,
  type PolicyDetail,
  restorePolicy,
} from '@sightline/contract/compliance/policies.ts';
import { listPolicyChanges } from '@sightline/contract/compliance/policy-changes.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
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
  hasPendingChange: false,
  allowed: { change: false, delete: true, restore: false },
  versions: [],
};

afterEach(() => vi.restoreAllMocks());

test('reports why Undo could not restore a policy after the page was closed', async () => {
  signIn('rol_owner');
  fakeApi.answer(getPolicy, () => policy);
  fakeApi.answer(getPoliciesStatus, () => []);
  fakeApi.answer(listPolicyKinds, () => []);
  fakeApi.answer(deletePolicy, () => ({ policy, pendingChange: null }));
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

const content = { name: 'Secrets', kind: 'sla', scope: policy.scope, mode: 'observe' } as const;
const change: PolicyChange = {
  id: '01890000-0000-7000-8000-000000000001',
  policyId: policy.id,
  name: 'Secrets',
  action: 'update',
  state: 'pending',
  before: { ...content, settings: { 'VUL-02': { limit: 3 } } },
  after: { ...content, name: 'Keys', settings: { 'VUL-02': { limit: 30 } } },
  weakened: [{ control: 'VUL-02', parameter: 'limit', repositories: null, before: '3', after: '30' }],
  repositories: [],
  requestedBy: { id: 'account', name: 'Ada' },
  requestedAt: '2026-11-02T00:00:00.000Z',
  decidedBy: null,
  decidedAt: null,
  reason: '',
  selfApproved: false,
  outdated: null,
  allowed: { approve: true, reject: true, withdraw: false },
};
const visitPending = (shown: PolicyChange) => {
  signIn('rol_owner');
  fakeApi.answer(getPolicy, () => ({ ...policy, hasPendingChange: true }));
  fakeApi.answer(getPoliciesStatus, () => []);
  fakeApi.answer(listPolicyKinds, () => [
    {
      kind: 'sla' as const,
      controls: [
        {
          id: 'VUL-02' as const,
          title: 'Exposed secrets remediated',
          rule: '',
          parameters: [
            {
              name: 'limit',
              kind: 'number' as const,
              title: 'Limit',
              unit: 'days',
              default: 3,
              min: 1,
              max: 90,
              stricter: 'lower' as const,
            },
          ],
        },
      ],
    },
  ]);
  fakeApi.answer(listPolicyChanges, () => ({ rows: [shown], total: 1 }));
  visitPage('/policies/$policyId', PolicyPage, `/policies/${policy.id}`);
};
const lines = (list: HTMLElement) =>
  within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('shows the old and new values of a pending change, and lets an approver decide', async () => {
  visitPending(change);
  await screen.findAllByText('VUL-02 Limit');
  expect(lines(await screen.findByRole('list', { name: 'Less strict' }))).toEqual(['VUL-02 Limit330']);
  expect(lines(screen.getByRole('list', { name: 'Changes of the policy' }))).toEqual([
    'NameSecretsKeys',
    'VUL-02 Limit3 days30 days',
  ]);
  expect(screen.queryByRole('button', { name: 'Withdraw change' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Reject change' }));
  const dialog = await screen.findByRole('dialog', { name: 'Reject this change' });
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Reject' }).disabled).toBe(true);
});

test('states why a pending change cannot be approved', async () => {
  const outdated = 'The policy was changed after this request.';
  visitPending({ ...change, outdated, allowed: { approve: false, reject: true, withdraw: false } });
  await screen.findByText(`${outdated} It cannot be approved any more.`);
  expect(screen.queryByRole('button', { name: 'Approve change' })).toBeNull();
});

test('offers a failed pending change again', async () => {
  visitPending(change);
  fakeApi.refuse(listPolicyChanges, 500, 'internal', 'No.');
  await screen.findByText('The pending change could not be loaded');
});

test('names a changed action in the versions', async () => {
  signIn('rol_owner');
  const version = {
    ...content,
    id: policy.id,
    settings: policy.settings,
    version: 1,
    author: policy.author,
    from: policy.from,
    until: null,
  };
  fakeApi.answer(getPolicy, () => ({
    ...policy,
    versions: [{ ...version, version: 2, mode: 'warn' as const }, version],
  }));
  fakeApi.answer(getPoliciesStatus, () => []);
  fakeApi.answer(listPolicyKinds, () => []);
  visitPage('/policies/$policyId', PolicyPage, `/policies/${policy.id}`);
  expect(await screen.findByText('Action on violation: Warn')).toBeDefined();
  expect(screen.queryByText('No changes from the previous version.')).toBe(null);
});
