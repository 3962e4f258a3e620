// @vitest-environment happy-dom
import { dismissFindings, reopenFindings } from '@sightline/contract/vulnerabilities/triage.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visit.tsx';
import { toast } from '#ui/toast.ts';
import { DismissDialog } from './DismissDialog.tsx';

const id = '01890000-0000-7000-8000-000000000000';

function Page() {
  const [isOpen, setOpen] = useState(true);
  return isOpen ? (
    <DismissDialog targets={[{ id, title: 'SQL injection' }]} onClose={() => setOpen(false)} />
  ) : (
    'Closed'
  );
}

afterEach(() => vi.restoreAllMocks());

/** Dismisses a finding, which closes the dialog. Returns the Undo action of the toast. */
async function dismissed(): Promise<() => void> {
  signIn('rol_owner');
  fakeApi.answer(dismissFindings, () => ({ changed: [id], skipped: [] }));
  const offer = vi.spyOn(toast, 'offer');
  visitPage('/dismiss', Page, '/dismiss');
  await userEvent.click(await screen.findByRole('radio', { name: 'False positive' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await screen.findByText('Closed');
  const undo = offer.mock.lastCall?.[2];
  if (!undo) throw new Error('no Undo was offered');
  return undo;
}

test('reopens a dismissed finding on Undo after the dialog was closed', async () => {
  fakeApi.answer(reopenFindings, () => ({ changed: [id], skipped: [] }));
  const success = vi.spyOn(toast, 'success');
  (await dismissed())();
  await waitFor(() => expect(success).toHaveBeenCalledWith('“SQL injection” counts again.'));
});

test('reports why Undo did not reopen a dismissed finding after the dialog was closed', async () => {
  fakeApi.refuse(reopenFindings, 409, 'conflict', 'Another member reopened it.');
  const error = vi.spyOn(toast, 'error');
  (await dismissed())();
  await waitFor(() => expect(error).toHaveBeenCalledWith('Another member reopened it.'));
});
