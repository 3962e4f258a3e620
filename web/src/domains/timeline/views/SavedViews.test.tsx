import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { createView, deleteView, listViews, type SavedView } from '@sightline/contract/timeline/explore.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visitPage.tsx';
import { toast } from '#ui/toast.ts';
import { ListViews } from './ListViews.tsx';
import { SavedViews } from './SavedViews.tsx';

const user = userEvent.setup();

afterEach(() => vi.restoreAllMocks());

const shared: SavedView = {
  id: '0198c0de-0000-7000-8000-000000000001',
  list: 'events',
  name: 'Risky merges',
  query: 'kind:pull_request',
  context: null,
  chart: null,
  shared: true,
  mine: false,
  owner: 'Grace Hopper',
  createdAt: '2026-11-20T10:00:00Z',
  updatedAt: '2026-11-20T10:00:00Z',
};

const current = { query: shared.query, context: null, chart: null };

const open = async (role: RoleId) => {
  signIn(role);
  const page = () => <SavedViews list="events" current={current} onOpen={() => undefined} />;
  visitPage('/explore', page, '/explore');
  await user.click(await screen.findByRole('button', { name: shared.name }));
  await screen.findByText('Shared by others');
};

test('lets an owner delete a shared view of another member after confirmation', async () => {
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
  within(dialog).getByText(/Grace Hopper shares this view with the organization/);
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

const mine: SavedView = { ...shared, shared: false, mine: true };

/** Deletes the user's view and leaves the page. Returns the Undo action of the toast. */
async function deleteAndLeave(): Promise<() => void> {
  fakeApi.answer(listViews, () => [mine]);
  fakeApi.answer(deleteView, () => null);
  const offer = vi.spyOn(toast, 'offer');
  signIn('rol_contributor');
  visitPage('/explore', () => <SavedViews list="events" current={current} onOpen={() => undefined} />, '/explore');
  await user.click(await screen.findByRole('button', { name: mine.name }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete “Risky merges”' }));
  await waitFor(() => expect(offer).toHaveBeenCalled());
  cleanup();
  const undo = offer.mock.lastCall?.[2];
  if (!undo) throw new Error('no Undo was offered');
  return undo;
}

test('restores a deleted view on Undo after the page was closed', async () => {
  const undo = await deleteAndLeave();
  const created: unknown[] = [];
  fakeApi.answer(createView, ({ body }) => {
    created.push(body);
    return mine;
  });
  undo();
  const { name, query, context, chart } = mine;
  await waitFor(() => expect(created).toEqual([{ list: 'events', name, query, context, chart, shared: false }]));
});

test('reports why Undo could not restore a deleted view after the page was closed', async () => {
  const undo = await deleteAndLeave();
  fakeApi.refuse(createView, 409, 'conflict', 'You have 100 views already.');
  const error = vi.spyOn(toast, 'error');
  undo();
  await waitFor(() => expect(error).toHaveBeenCalledWith('You have 100 views already.'));
});

test('saves filters, order and columns of a list without its page, and opens them again', async () => {
  let views: SavedView[] = [];
  fakeApi.answer(listViews, ({ query }) => views.filter(({ list }) => list === query?.list));
  fakeApi.answer(createView, ({ body }) => {
    const saved = { ...mine, name: body.name, query: body.query, list: 'findings' as const };
    views = [saved];
    return saved;
  });
  signIn('rol_contributor');
  const page = () => <ListViews list="findings" />;
  visitPage('/vulnerabilities', page, '/vulnerabilities?severity=high&page=3&columns=age,assignee');
  await user.click(await screen.findByRole('button', { name: 'Views' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Save this view…' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'High');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('button', { name: 'High' })).toBeTruthy();
  expect(views[0]?.query).toBe('columns=age,assignee&severity=high');
  cleanup();
  const other = visitPage('/vulnerabilities', page, '/vulnerabilities?status=fixed');
  await user.click(await screen.findByRole('button', { name: 'Views' }));
  await user.click(await screen.findByRole('menuitem', { name: 'High' }));
  await waitFor(() => expect(other.search()).toEqual({ columns: 'age,assignee', severity: 'high' }));
});
