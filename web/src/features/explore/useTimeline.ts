import { useThrottledCallback } from '@mantine/hooks';
import type { ApiError } from '@sightline/contract/client.ts';
import type { Event } from '@sightline/contract/events.ts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useConnection, useNews } from '#lib/realtime.ts';
import type { Question } from './exploreQuery.ts';
import { inOrder } from './order.ts';
import { loadPage, type PageStart, type TimelinePage, uniqueEvents } from './timelinePages.ts';

export interface Timeline {
  /** Newest first; undefined while the first answer is on its way. */
  events: readonly Event[] | undefined;
  error: ApiError | null;
  retry: () => void;
  /** How many newer ones are loaded but held back, so that nothing moves under the reader. */
  held: number;
  release: () => void;
  /** Whether there are newer ones than those loaded, which wait for a click. */
  hasNewer: boolean;
  loadNewer: () => void;
  loadingNewer: boolean;
  newerFailed: boolean;
  hasOlder: boolean;
  loadOlder: () => void;
  loadingOlder: boolean;
  olderFailed: boolean;
  /** Told by the page: whether the reader is at the newest end. */
  setAtTop: (atTop: boolean) => void;
}

type Pages = InfiniteData<TimelinePage, PageStart>;

// spec 9: a load that takes longer no longer blocks the next one
const pendingReset = 30_000;
// While a history is being read in, news comes many times a second.
const newsPause = 2000;

/** The timeline of a question: pages at both ends, and news as it comes. */
export function useTimeline(question: Question): Timeline {
  const queryClient = useQueryClient();
  const queryKey = ['timeline', question];
  const timeline = useInfiniteQuery<TimelinePage, ApiError, Pages, readonly unknown[], PageStart>({
    queryKey,
    queryFn: ({ pageParam }) => loadPage(question, pageParam),
    initialPageParam: 'afresh',
    getNextPageParam: ({ reachedEnd, cursors }) =>
      reachedEnd || cursors.older === null ? undefined : { older: cursors.older },
    getPreviousPageParam: ({ cursors }) => (cursors.newer === null ? undefined : { newer: cursors.newer }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  const { data, isFetching, refetch, fetchNextPage, fetchPreviousPage } = timeline;
  const all = useMemo(() => data && inOrder(uniqueEvents(data.pages.flatMap(({ events }) => events))), [data]);

  const atTop = useRef(true);
  const [topmost, setTopmost] = useState<string>();
  const held =
    topmost === undefined || !all
      ? 0
      : Math.max(
          0,
          all.findIndex(({ uuid }) => uuid === topmost),
        );
  const events = useMemo(() => (held === 0 ? all : all?.slice(held)), [all, held]);

  const atLiveEnd = data?.pages[0]?.reachedStart ?? false;
  const catchUp = useEffectEvent(async () => {
    if (!atLiveEnd) return;
    if (all?.length === 0) return void refetch();
    if (!atTop.current && held === 0) setTopmost(all?.[0]?.uuid);
    const caught = await fetchPreviousPage({ cancelRefetch: false });
    if (caught.isError || caught.data?.pages[0]?.events.length !== 0) return;
    queryClient.setQueryData<Pages>(queryKey, withoutFirst);
    // None is newer: they came in further down, as from a history being read in.
    if (atTop.current && caught.data.pages.length <= 2) void refetch();
  });
  // What was kept from an earlier visit is behind from the start.
  const [behind, setBehind] = useState(data !== undefined);
  useNews(
    'orgEvents',
    useThrottledCallback(() => setBehind(true), newsPause),
  );
  // Nothing is heard before the line is open.
  const connected = useConnection() === 'connected';
  useEffect(() => {
    if (connected) setBehind(true);
  }, [connected]);
  useEffect(() => {
    if (!behind || isFetching) return;
    setBehind(false);
    void catchUp();
  }, [behind, isFetching]);

  useEffect(() => {
    if (!isFetching) return;
    const timer = window.setTimeout(() => void queryClient.cancelQueries({ queryKey: ['timeline'] }), pendingReset);
    return () => window.clearTimeout(timer);
  }, [isFetching, queryClient]);

  return {
    events,
    error: data ? null : timeline.error,
    retry: () => void refetch(),
    held,
    release: () => setTopmost(undefined),
    hasNewer: data !== undefined && !atLiveEnd && timeline.hasPreviousPage,
    loadNewer: () => void fetchPreviousPage({ cancelRefetch: false }),
    loadingNewer: timeline.isFetchingPreviousPage,
    newerFailed: timeline.isFetchPreviousPageError,
    hasOlder: timeline.hasNextPage,
    loadOlder: () => void fetchNextPage({ cancelRefetch: false }),
    loadingOlder: timeline.isFetchingNextPage,
    olderFailed: timeline.isFetchNextPageError,
    setAtTop: (now) => {
      atTop.current = now;
      if (now) setTopmost(undefined);
    },
  };
}

const withoutFirst = (data: Pages | undefined): Pages | undefined =>
  data && data.pages.length > 1 ? { pages: data.pages.slice(1), pageParams: data.pageParams.slice(1) } : data;
