import { changeNotifications, type Notification } from '@sightline/contract/delivery/notifications.ts';
import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { toast } from '#ui/toast.ts';
import { useNotificationActions } from './useNotificationActions.ts';

const item = { id: '0198c0de-0000-7000-8000-000000000001', status: 'unread', saved: false } as Notification;

function Archive() {
  const { mark } = useNotificationActions();
  return (
    <button type="button" onClick={() => mark([item], 'archived', 'Archived.')}>
      Archive
    </button>
  );
}

afterEach(() => vi.restoreAllMocks());

test('reverts marked notifications on Undo, or reports why it failed, after the page was closed', async () => {
  signIn('rol_owner');
  const sent: unknown[] = [];
  fakeApi.answer(changeNotifications, ({ body }) => {
    sent.push(body);
    return { updated: 1, unread: 0 };
  });
  const offer = vi.spyOn(toast, 'offer');
  const error = vi.spyOn(toast, 'error');
  visitPage('/notifications', Archive, '/notifications');
  await userEvent.click(await screen.findByRole('button', { name: 'Archive' }));
  const undo = offer.mock.lastCall?.[2];
  cleanup();
  undo?.();
  await waitFor(() =>
    expect(sent).toEqual([
      { ids: [item.id], status: 'archived' },
      { ids: [item.id], status: 'unread' },
    ]),
  );
  fakeApi.refuse(changeNotifications, 503, 'unavailable', 'The database is away.');
  undo?.();
  await waitFor(() => expect(error).toHaveBeenCalledWith('The database is away.'));
});

test('sends an undo only after the server answered the change that it reverts', async () => {
  signIn('rol_owner');
  const sent: string[] = [];
  const first = Promise.withResolvers<void>();
  fakeApi.answer(changeNotifications, async ({ body }) => {
    sent.push(body.status);
    if (body.status === 'archived') await first.promise;
    return { updated: 1, unread: 0 };
  });
  const offer = vi.spyOn(toast, 'offer');
  visitPage('/notifications', Archive, '/notifications');
  await userEvent.click(await screen.findByRole('button', { name: 'Archive' }));
  await waitFor(() => expect(sent).toEqual(['archived']));
  offer.mock.lastCall?.[2]();
  await new Promise((resolve) => setTimeout(resolve));
  expect(sent).toEqual(['archived']);
  first.resolve();
  await waitFor(() => expect(sent).toEqual(['archived', 'unread']));
});
