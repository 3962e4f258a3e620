import { type ExtensionStatus, getExtensionStatus, getUserStatus } from '@sightline/contract/tools/presence.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ask } from './api.ts';

/** spec 9: five minutes. */
const extensionsEvery = 300_000;
/** spec 9: five seconds at most, also in the background. */
const statusEvery = 5_000;

/** Whether the signed-in person's extensions are connected; undefined until it is known. */
export const useExtensions = (enabled = true): ExtensionStatus | undefined =>
  useQuery({ ...extensions(), enabled, refetchInterval: extensionsEvery }).data;

export const extensions = () => ({ ...ask(getExtensionStatus, {}), staleTime: extensionsEvery, meta: { quiet: true } });

/** Watches for extensions that come and go, for whoever asks `useExtensions`. Draws again only when something changed. */
export function useStatusWatch(): void {
  const queryClient = useQueryClient();
  // Pages that were opened together do not ask together for ever. Chosen once: another pause would begin anew at each drawing.
  const [every] = useState(() => statusEvery * (0.8 + Math.random() * 0.15));
  const status = useQuery({
    ...ask(getUserStatus, {}),
    refetchInterval: every,
    refetchIntervalInBackground: true,
    staleTime: 0,
    notifyOnChangeProps: ['data'],
    meta: { quiet: true },
  }).data;
  useEffect(() => {
    if (!status) return;
    const { currentProject: _, vscode: _vscode, ...extensions } = status;
    queryClient.setQueryData(ask(getExtensionStatus, {}).queryKey, extensions);
  }, [queryClient, status]);
}
