import { listFeatureFlags } from '@sightline/contract/feature-flags.ts';
import type { Flag } from '@sightline/contract/flags.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ask } from './api.ts';

/** spec 9: asked again every 300 s. */
const refreshEvery = 300_000;

/** The flags that are on. A failure is not shown to anybody: what is behind a flag stays hidden. */
export const flags = () =>
  queryOptions({
    ...ask(listFeatureFlags, {}),
    staleTime: refreshEvery,
    refetchInterval: refreshEvery,
    meta: { quiet: true },
  });

/** Whether a flag is on; false until it is known. */
export function useFlag(name: Flag): boolean {
  const { data } = useQuery({ ...flags(), select: ({ toggles }) => toggles.some((toggle) => toggle.name === name) });
  return data ?? false;
}
