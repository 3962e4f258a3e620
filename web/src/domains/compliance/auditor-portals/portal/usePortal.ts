import { getPortalStatus, getPortalVisit, type PortalVisit } from '@sightline/contract/compliance/auditor-portals.ts';
import { ApiError } from '@sightline/contract/core/client.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { endpointQuery } from '#lib/api.ts';

/** The portal ID in the address. */
export const usePortalId = (): string => (useParams({ strict: false }) as { portalId: string }).portalId;

export const portalPageHref = (portalId: string, ...segments: readonly (string | number)[]): string =>
  ['/portal', portalId, ...segments].join('/');

/** Returns the contents of the portal. The frame fetches them once for all its pages. */
export function usePortal(): PortalVisit | undefined {
  const portalId = usePortalId();
  return useQuery({
    ...endpointQuery(getPortalVisit, { params: { portalId } }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  }).data;
}

/** The interval of status checks. A revoked portal disappears from the screen within this time. */
const pollIntervalMs = 3000;

/**
 * Polls the portal status. `open` after the server confirms it, `shut` after expiry or revocation. On `shut` it removes
 * all portal data from the query cache. `answered` is the number of answered requests.
 */
export function usePortalStatus(): {
  state: 'asking' | 'open' | 'shut' | 'unreachable';
  expiresAt: string | undefined;
  answered: number;
} {
  const portalId = usePortalId();
  const queryClient = useQueryClient();
  const { data, error } = useQuery({
    ...endpointQuery(getPortalStatus, { params: { portalId } }),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (isNotFound(state.error) ? false : pollIntervalMs),
  });
  const isExpired = useIsExpired(data?.expiresAt);
  const isShut = isNotFound(error) || isExpired;
  useEffect(() => {
    if (!isShut) return;
    queryClient.removeQueries({
      predicate: ({ queryKey: [path] }) => String(path).startsWith('/v2/portal/') && path !== getPortalStatus.path,
    });
  }, [isShut, queryClient]);
  const state = isShut ? 'shut' : data ? 'open' : error ? 'unreachable' : 'asking';
  return { state, expiresAt: data?.expiresAt, answered: data?.answered ?? 0 };
}

/** Whether the server responded with 404, for any reason. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

// The longest delay of a browser timer. A portal that expires later is checked again then.
const maxTimerMs = 2 ** 31 - 1;

function useIsExpired(expiresAt: string | undefined): boolean {
  const [isExpired, setExpired] = useState(false);
  useEffect(() => {
    if (expiresAt === undefined) return undefined;
    const wait = Date.parse(expiresAt) - Date.now();
    const timer = setTimeout(
      () => setExpired(Date.parse(expiresAt) <= Date.now()),
      Math.min(maxTimerMs, Math.max(0, wait)),
    );
    return () => clearTimeout(timer);
  }, [expiresAt]);
  return isExpired;
}
