import { Button } from '@mantine/core';
import {
  type ContributorMerge,
  decideContributorMerge,
  listContributorMerges,
  undoContributorMerge,
} from '@sightline/contract/sources/contributor-merges.ts';
import { listContributors } from '@sightline/contract/sources/contributors.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, endpointQuery, keyOf } from '#lib/api.ts';
import { Panel } from '#ui/Panel.tsx';
import { StatusBadge } from '#ui/StatusBadge.tsx';
import { toast } from '#ui/toast.ts';
import type { RepositoryAddress } from './address.ts';
import s from './ContributorMerges.module.css';

type Address = Pick<RepositoryAddress, 'provider' | 'repoPath'>;

/** For Account Owners: pairs of contributors with identical full names, and earlier decisions. */
export function ContributorMerges({ provider, repoPath }: Address) {
  const { data: merges = [] } = useQuery(endpointQuery(listContributorMerges, { params: { provider, repoPath } }));
  if (merges.length === 0) return null;
  return (
    <Panel title="Suggested merges" flush className={s.panel}>
      <ul className={s.list}>
        {merges.map((merge) => (
          <MergeRow
            key={merge.contributors.map(({ id }) => id).join(' ')}
            merge={merge}
            address={{ provider, repoPath }}
          />
        ))}
      </ul>
    </Panel>
  );
}

const statuses = {
  suggested: { tone: 'blue', label: 'Suggested' },
  merged: { tone: 'green', label: 'Merged' },
  dismissed: { tone: 'gray', label: 'Dismissed' },
} as const;

const decided = {
  merged: 'Contributors merged. Affected changes are evaluated again.',
  dismissed: 'Suggestion dismissed.',
} as const;

function MergeRow({ merge, address: params }: { merge: ContributorMerge; address: Address }) {
  const queryClient = useQueryClient();
  const refresh = () => {
    for (const endpoint of [listContributorMerges, listContributors]) {
      void queryClient.invalidateQueries({ queryKey: keyOf(endpoint) });
    }
  };
  const [one, other] = merge.contributors;
  const decide = useMutation({
    mutationFn: (decision: 'merged' | 'dismissed') =>
      call(decideContributorMerge, {
        params,
        body: { contributorIds: [one?.id ?? '', other?.id ?? ''], decision },
      }),
    onSuccess: (_, decision) => {
      toast.success(decided[decision]);
      refresh();
    },
  });
  const undo = useMutation({
    mutationFn: (mergeId: string) => call(undoContributorMerge, { params: { ...params, mergeId } }),
    onSuccess: () => {
      toast.success(merge.decision === 'merged' ? 'Merge undone.' : 'Suggestion restored.');
      refresh();
    },
  });
  if (!one || !other) return null;
  const { tone, label } = statuses[merge.decision];
  const { id: mergeId } = merge;
  const isPending = decide.isPending || undo.isPending;
  const of = <span className="vh"> of {`${one.name}: ${one.email} and ${other.email}`}</span>;
  return (
    <li className={s.row}>
      <span className={s.pair}>
        <StatusBadge tone={tone}>{label}</StatusBadge>
        <span>{one.name}</span>
        <span className="dim">
          {one.email}, {other.email}
        </span>
      </span>
      <span className={s.actions}>
        {mergeId === null ? (
          <>
            <Button size="compact-sm" disabled={isPending} onClick={() => decide.mutate('merged')}>
              Merge contributors{of}
            </Button>
            <Button size="compact-sm" variant="default" disabled={isPending} onClick={() => decide.mutate('dismissed')}>
              Dismiss suggestion{of}
            </Button>
          </>
        ) : (
          <Button size="compact-sm" variant="default" disabled={isPending} onClick={() => undo.mutate(mergeId)}>
            {merge.decision === 'merged' ? 'Undo merge' : 'Restore suggestion'}
            {of}
          </Button>
        )}
      </span>
    </li>
  );
}
