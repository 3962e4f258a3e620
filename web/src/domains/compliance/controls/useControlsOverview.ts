import { getControlsOverview, listControls } from '@sightline/contract/compliance/control-runs.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';

/** Fetches the control statuses of a period, and refetches them during an evaluation. */
export function useControlsOverview(period: string) {
  const overview = useQuery({
    ...endpointQuery(getControlsOverview, { query: { period } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && state.data.running > 0 ? EVALUATING_REFETCH_MS : false),
    meta: { quiet: true },
  });
  const isEvaluating = (overview.data?.running ?? 0) > 0;
  const controls = useQuery({
    ...endpointQuery(listControls, { query: { period } }),
    placeholderData: keepPreviousData,
    refetchInterval: isEvaluating ? EVALUATING_REFETCH_MS : false,
    meta: { quiet: true },
  });
  return { overview, controls, isEvaluating };
}

/** Milliseconds. */
const EVALUATING_REFETCH_MS = 2_000;
