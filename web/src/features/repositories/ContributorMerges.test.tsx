// @vitest-environment happy-dom

import {
  type ContributorMerge,
  decideContributorMerge,
  listContributorMerges,
  undoContributorMerge,
} from '@sightline/contract/contributor-merges.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visit } from '#testing/visit.tsx';
import { ContributorMerges } from './ContributorMerges.tsx';

const contributor = (id: string, email: string) => ({
  ...{ id, email, name: 'Zoë Ångström', user_id: null, githubName: null, commits: 1 },
  lastCommit: '2026-11-20T10:00:00Z',
});
const contributors = [contributor('1', 'zoe@one.example'), contributor('2', 'zoe@two.example')];

test('an owner merges a suggested pair, and undoes it', async () => {
  signIn('rol_owner');
  let merge: ContributorMerge = { id: null, decision: 'suggested', decidedAt: null, contributors };
  const asked: unknown[] = [];
  fakeApi.answer(listContributorMerges, () => [merge]);
  fakeApi.answer(decideContributorMerge, ({ body }) => {
    asked.push(body);
    merge = { id: 'm', decision: body.decision, decidedAt: '2026-11-20T10:00:00Z', contributors };
    return { id: 'm' };
  });
  fakeApi.answer(undoContributorMerge, ({ params }) => {
    asked.push(params.mergeId);
    merge = { id: null, decision: 'suggested', decidedAt: null, contributors };
    return null;
  });
  visit('/', () => <ContributorMerges provider="github" repoPath="acme/api" />, '/');
  expect(await screen.findByText('Suggested')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Merge contributors/ }));
  expect(await screen.findByText('Merged')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Undo merge/ }));
  expect(await screen.findByText('Suggested')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Dismiss suggestion/ }));
  await waitFor(() => expect(screen.getByRole('button', { name: /^Restore suggestion/ })).toBeTruthy());
  expect(asked).toEqual([
    { contributorIds: ['1', '2'], decision: 'merged' },
    'm',
    { contributorIds: ['1', '2'], decision: 'dismissed' },
  ]);
});
