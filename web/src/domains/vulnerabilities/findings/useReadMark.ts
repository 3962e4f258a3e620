import { type Finding, listFindings, markFindingRead } from '@sightline/contract/vulnerabilities/findings.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call, keyOf } from '#lib/api.ts';

interface Mark {
  id: string;
  read: boolean;
}

/** Marks findings as read or unread for the user. Lists update immediately, and revert if the server refuses. */
export function useMarkAsRead() {
  const queryClient = useQueryClient();
  const show = useCallback(
    ({ id, read }: Mark) => {
      queryClient.setQueriesData<{ rows: Finding[]; total: number }>(
        { queryKey: keyOf(listFindings) },
        (page) => page && { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, unread: !read } : row)) },
      );
    },
    [queryClient],
  );
  return useMutation({
    mutationFn: ({ id, read }: Mark) => call(markFindingRead, { params: { findingId: id }, body: { read } }),
    onMutate: show,
    meta: { quiet: true },
    onError: (_, { id, read }) => show({ id, read: !read }),
  });
}
