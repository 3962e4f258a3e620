// @vitest-environment happy-dom

import {
  type ContributorMerge,
  decideContributorMerge,
  listContributorMerges,
  undoContributorMerge,
} from '@sightline/contract/sources/contributor-merges.ts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { fakeApi } from '#testing/fake-api.ts';
import { signIn, visitPage } from '#testing/visit.tsx';
import { ContributorMerges } from './ContributorMerges.tsx';

const contributor = (id: string, email: string) => ({
  id,
  email,
  name: 'Zoë Ångström',
  user_id: null,
  githubName: null,
  commits: 1,
  lastCommit: '2026-11-20T10:00:00Z',
});
const [first, second, mergeId] = [1, 2, 3].map((n) => `018f2a52-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];
const contributors = [contributor(first, 'zoe@one.example'), contributor(second, 'zoe@two.example')];

test('merges a suggested pair and undoes it', async () => {
  signIn('rol_owner');
  let merge: ContributorMerge = { id: null, decision: 'suggested', decidedAt: null, contributors };
  const requests: unknown[] = [];
  fakeApi.answer(listContributorMerges, () => [merge]);
  fakeApi.answer(decideContributorMerge, ({ body }) => {
    requests.push(body);
    merge = { id: mergeId, decision: body.decision, decidedAt: '2026-11-20T10:00:00Z', contributors };
    return { id: mergeId };
  });
  fakeApi.answer(undoContributorMerge, ({ params }) => {
    requests.push(params.mergeId);
    merge = { id: null, decision: 'suggested', decidedAt: null, contributors };
    return null;
  });
  visitPage('/', () => <ContributorMerges provider="github" repoPath="acme/api" />, '/');
  expect(await screen.findByText('Suggested')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Merge contributors/ }));
  expect(await screen.findByText('Merged')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Undo merge/ }));
  expect(await screen.findByText('Suggested')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: /^Dismiss suggestion/ }));
  await waitFor(() => expect(screen.getByRole('button', { name: /^Restore suggestion/ })).toBeTruthy());
  expect(requests).toEqual([
    { contributorIds: [first, second], decision: 'merged' },
    mergeId,
    { contributorIds: [first, second], decision: 'dismissed' },
  ]);
});
