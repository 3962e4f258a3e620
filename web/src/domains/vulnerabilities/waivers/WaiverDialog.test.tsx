// @vitest-environment happy-dom
import {
  decideWaiver,
  requestFindingWaivers,
  requestWaiver,
  type WaiverListItem,
  withdrawWaiver,
} from '@sightline/contract/vulnerabilities/waivers.ts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { WaiverDialog } from './WaiverDialog.tsx';
import type { WaiverAction } from './waiver-action.ts';

const [id, otherId] = ['01890000-0000-7000-8000-000000000000', '01890000-0000-7000-8000-000000000001'];
const reason = 'The module is replaced in spring.';

const waiver: WaiverListItem = {
  id,
  state: 'requested',
  reason,
  requestedBy: { id: otherId, name: 'Ada Byron' },
  requestedAt: '2026-11-01T00:00:00.000Z',
  until: '2026-12-24T12:00:00.000Z',
  decidedBy: null,
  decidedAt: null,
  decision: '',
  allowed: { decide: true, withdraw: false, revoke: false },
  control: 'CHG-01',
  subject: 'change:7',
  finding: null,
  repository: null,
};

const onRequested = vi.fn();

let first: WaiverAction;
function Page() {
  const [action, setAction] = useState<WaiverAction | undefined>(first);
  return action ? (
    <WaiverDialog action={action} onClose={() => setAction(undefined)} onRequested={onRequested} />
  ) : (
    'Closed'
  );
}

function visit(action: WaiverAction): void {
  first = action;
  signIn('rol_owner');
  visitPage('/dialog', Page, '/dialog');
}

async function sendRequest(): Promise<void> {
  const send = await screen.findByRole('button', { name: 'Send request' });
  expect(send).toHaveProperty('disabled', true);
  await userEvent.type(screen.getByLabelText('Reason'), reason);
  await userEvent.click(send);
}

test('requests a waiver of an item of a control', async () => {
  const request = vi.fn(() => ({ id }));
  fakeApi.answer(requestWaiver, request);
  visit({ kind: 'request', subject: { control: 'CHG-01', subject: 'change:7' } });
  await sendRequest();
  await screen.findByText('Closed');
  expect(request).toHaveBeenCalledWith(
    expect.objectContaining({ body: { control: 'CHG-01', subject: 'change:7', reason, until: expect.any(String) } }),
  );
});

test('requests waivers of vulnerabilities and lists those that were skipped', async () => {
  fakeApi.answer(requestFindingWaivers, () => ({
    changed: [id],
    skipped: [{ id: otherId, reason: 'It is fixed and needs no waiver.' }],
  }));
  const findings = [
    { id, title: 'SQL injection' },
    { id: otherId, title: 'Path traversal' },
  ];
  visit({ kind: 'request', subject: { findings } });
  await screen.findByRole('dialog', { name: 'Request a waiver for 2 vulnerabilities' });
  await sendRequest();
  const outcome = await screen.findByRole('dialog', { name: '1 of 2 requested' });
  expect(outcome.textContent).toContain('Path traversalIt is fixed and needs no waiver.');
  expect(onRequested).toHaveBeenCalled();
});

test('shows the request and keeps the comment when a decision fails', async () => {
  fakeApi.refuse(decideWaiver, 409, 'conflict', 'This waiver is no longer pending.');
  visit({ kind: 'approve', waiver });
  const dialog = await screen.findByRole('dialog', { name: 'Approve this waiver' });
  for (const text of ['CHG-01', 'Ada Byron', '24 Dec 2026', reason]) expect(dialog.textContent).toContain(text);
  await userEvent.type(screen.getByLabelText('Comment (optional)'), 'Until the new colleague is here');
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }));
  await screen.findByText('This waiver is no longer pending.');
  expect(screen.getByLabelText('Comment (optional)')).toHaveProperty('value', 'Until the new colleague is here');
});

test.each([
  ['requested', 'Withdraw this request?', 'Withdraw request'],
  ['approved', 'Revoke this waiver?', 'Revoke'],
] as const)('ends a waiver that is %s', async (state, title, button) => {
  fakeApi.answer(withdrawWaiver, () => null);
  visit({ kind: 'end', waiver: { ...waiver, state } });
  await screen.findByRole('dialog', { name: title });
  await userEvent.click(screen.getByRole('button', { name: button }));
  await screen.findByText('Closed');
});
