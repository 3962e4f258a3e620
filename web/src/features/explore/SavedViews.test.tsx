import { deleteView, listViews, type SavedView } from '@sightline/contract/explore.ts';
import type { RoleId } from '@sightline/contract/permissions.ts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visit } from '#testing/visit.tsx';
import { SavedViews } from './SavedViews.tsx';

const user = userEvent.setup();

const shared: SavedView = {
  id: '0198c0de-0000-7000-8000-000000000001',
  name: 'Risky merges',
  query: 'kind:pull_request',
  context: null,
  shared: true,
  mine: false,
  owner: 'Grace Hopper',
  createdAt: '2026-11-20T10:00:00Z',
  updatedAt: '2026-11-20T10:00:00Z',
};

const question = { query: shared.query, context: undefined, offset: 0, event: undefined };

const open = async (role: RoleId) => {
  signIn(role);
  const page = () => <SavedViews question={question} onOpen={() => undefined} />;
  visit('/explore', page, '/explore');
  await user.click(await screen.findByRole('button', { name: shared.name }));
  await screen.findByText('Shared by others');
};

test('an owner deletes a shared view of another member after confirmation', async () => {
  let views = [shared];
  const deleted: string[] = [];
  fakeApi.answer(listViews, () => views);
  fakeApi.answer(deleteView, ({ params }) => {
    deleted.push(params.viewId);
    views = [];
    return null;
  });
  await open('rol_owner');
  expect(screen.queryByRole('menuitem', { name: /Rename/ })).toBeNull();
  await user.click(screen.getByRole('menuitem', { name: 'Delete “Risky merges”…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete “Risky merges”?' });
  within(dialog).getByText(/Grace Hopper shares this view with everybody/);
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await screen.findByRole('button', { name: 'Views' });
  expect(deleted).toEqual([shared.id]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('offers deletion of shared views to owners only', async () => {
  fakeApi.answer(listViews, () => [shared]);
  await open('rol_reviewer');
  expect(screen.queryByRole('menuitem', { name: /Delete/ })).toBeNull();
});
