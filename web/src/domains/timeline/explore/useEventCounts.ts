import { useThrottledCallback } from '@mantine/hooks';
import type { ApiError } from '@sightline/contract/core/client.ts';
import type { CallInput, CallOutput, Endpoint } from '@sightline/contract/core/endpoint.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useChangeNotice } from '#lib/realtime.ts';

// Milliseconds. Change notices may arrive hundreds of times a second.
const newsPause = 5000;

/** Counts of events, requested again when events arrive. Shows the previous ones until those of a new query are known. */
export function useEventCounts<E extends Endpoint>(endpoint: E, input: CallInput<E>, enabled = true) {
  const result = useQuery<CallOutput<E>, ApiError>({
    ...endpointQuery(endpoint, input),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    meta: { quiet: true },
  });
  const { refetch } = result;
  useChangeNotice(
    'orgEvents',
    useThrottledCallback(() => enabled && void refetch(), newsPause),
  );
  return result;
}
