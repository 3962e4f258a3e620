import {
  type EnteredPortal,
  getEnteredPortal,
  getPortalStatus,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { ApiError } from '@sightline/contract/core/client.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ask } from '#lib/api.ts';

/** The id that the address names. */
export const usePortalId = (): string => (useParams({ strict: false }) as { portalId: string }).portalId;

export const hrefIn = (portalId: string, ...segments: readonly (string | number)[]): string =>
  ['/portal', portalId, ...segments].join('/');

/** What the portal holds; the frame of every page of it asks once. */
export function usePortal(): EnteredPortal | undefined {
  const portalId = usePortalId();
  return useQuery({
    ...ask(getEnteredPortal, { params: { portalId } }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  }).data;
}

/** So often the page asks whether the door is open still: a portal that was revoked is gone from the screen within this time. */
const everyMs = 3000;

/**
 * `open` once the server said so, `shut` from the moment it is closed or revoked; then nothing of it stays in the memory of the
 * page. `answered`: how many requests were answered.
 */
export function useDoor(): {
  state: 'asking' | 'open' | 'shut' | 'unreachable';
  expiresAt: string | undefined;
  answered: number;
} {
  const portalId = usePortalId();
  const queryClient = useQueryClient();
  const { data, error } = useQuery({
    ...ask(getPortalStatus, { params: { portalId } }),
    meta: { quiet: true },
    staleTime: 0,
    refetchInterval: ({ state }) => (isGone(state.error) ? false : everyMs),
  });
  const isOver = useIsOver(data?.expiresAt);
  const isShut = isGone(error) || isOver;
  useEffect(() => {
    if (!isShut) return;
    queryClient.removeQueries({
      predicate: ({ queryKey: [path] }) => String(path).startsWith('/v2/portal/') && path !== getPortalStatus.path,
    });
  }, [isShut, queryClient]);
  const state = isShut ? 'shut' : data ? 'open' : error ? 'unreachable' : 'asking';
  return { state, expiresAt: data?.expiresAt, answered: data?.answered ?? 0 };
}

/** What is not there, for whatever reason. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

// What a browser's timer can hold; a portal that is open longer is looked at again then.
const longestTimer = 2 ** 31 - 1;

function useIsOver(expiresAt: string | undefined): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (expiresAt === undefined) return undefined;
    const wait = Date.parse(expiresAt) - Date.now();
    const timer = setTimeout(
      () => setIsOver(Date.parse(expiresAt) <= Date.now()),
      Math.min(longestTimer, Math.max(0, wait)),
    );
    return () => clearTimeout(timer);
  }, [expiresAt]);
  return isOver;
}
