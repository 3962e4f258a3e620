import { type ExtensionStatus, getExtensionStatus, getUserStatus } from '@sightline/contract/tools/presence.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { endpointQuery } from './api.ts';

/** Spec 9: five minutes. */
const extensionsEvery = 300_000;
/** Spec 9: at most five seconds, also in the background. */
const statusEvery = 5_000;

/** The extension status of the signed-in user; undefined until known. */
export const useExtensions = (enabled = true): ExtensionStatus | undefined =>
  useQuery({ ...extensions(), enabled, refetchInterval: extensionsEvery }).data;

export const extensions = () => ({
  ...endpointQuery(getExtensionStatus, {}),
  staleTime: extensionsEvery,
  meta: { quiet: true },
});

/** Polls the extension status for all users of `useExtensions`. Rerenders only on changes. */
export function useStatusWatch(): void {
  const queryClient = useQueryClient();
  // Prevents synchronized polling of pages that were opened together. Chosen once, since a changed interval would
  // restart on each render.
  const [every] = useState(() => statusEvery * (0.8 + Math.random() * 0.15));
  const status = useQuery({
    ...endpointQuery(getUserStatus, {}),
    refetchInterval: every,
    refetchIntervalInBackground: true,
    staleTime: 0,
    notifyOnChangeProps: ['data'],
    meta: { quiet: true },
  }).data;
  useEffect(() => {
    if (!status) return;
    const { currentProject: _, vscode: _vscode, ...extensions } = status;
    queryClient.setQueryData(endpointQuery(getExtensionStatus, {}).queryKey, extensions);
  }, [queryClient, status]);
}
