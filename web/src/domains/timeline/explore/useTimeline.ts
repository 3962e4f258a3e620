import { ApiError } from '@sightline/contract/core/client.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { TimelineQuery } from './exploreQuery.ts';
import { maxPagesInMemory, maxPagesPerClick, requestTimeoutMs } from './timelineConstants.ts';
import { modelOf, type TimelineModel } from './timelineModel.ts';
import { loadPage, type PageStart, type TimelinePage } from './timelinePages.ts';
import { type NewerCount, type NewestEnd, useNewerEvents } from './useNewerEvents.ts';

export interface Timeline {
  /** The loaded events; undefined while loading. */
  model: TimelineModel | undefined;
  /** The retention of events; undefined while loading. */
  kept: TimelinePage['kept'] | undefined;
  /** The oldest loaded events that are in the archive. */
  archived: TimelinePage['archived'] | undefined;
  /** When the newest end was last requested. */
  asOf: string | undefined;
  error: ApiError | null;
  retry: () => void;
  /** Newer events that are not loaded; undefined for none. */
  waiting: NewerCount | undefined;
  /** Loads newer events, at most a thousand. */
  loadNewer: () => Promise<void>;
  loadingNewer: boolean;
  newerFailed: boolean;
  hasOlder: boolean;
  loadOlder: () => void;
  loadingOlder: boolean;
  /** Whether a request is pending at either end. */
  loading: boolean;
  olderFailed: boolean;
  /** Set by the page: whether new events may appear automatically, because the reader's position would not move. */
  setFollowing: (following: boolean) => void;
}

type Pages = InfiniteData<TimelinePage, PageStart>;

/** The timeline of a query: pages at both ends, and updates by change notices. */
export function useTimeline(question: TimelineQuery): Timeline {
  const queryClient = useQueryClient();
  const queryKey = ['timeline', question];
  const timeline = useInfiniteQuery<TimelinePage, ApiError, Pages, readonly unknown[], PageStart>({
    queryKey,
    queryFn: ({ pageParam }) => loadPage(question, pageParam),
    initialPageParam: 'afresh',
    getNextPageParam: ({ reachedEnd, cursors }) =>
      reachedEnd || cursors.older === null ? undefined : { older: cursors.older },
    getPreviousPageParam: ({ cursors }) => (cursors.newer === null ? undefined : { newer: cursors.newer }),
    maxPages: maxPagesInMemory,
    // Events never change, so pages need not be compared.
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  const { data, isFetching, refetch, fetchNextPage, fetchPreviousPage } = timeline;
  const model = useMemo(() => data && modelOf(data.pages), [data]);
  const following = useRef(true);
  const [first] = data?.pages ?? [];

  const fetchNewer = async (): Promise<NewestEnd> => {
    let end: NewestEnd = { cursor: null, reached: false };
    for (let page = 0; page < maxPagesPerClick && !end.reached; page += 1) {
      const { data: now, isError } = await fetchPreviousPage({ cancelRefetch: false });
      const newest = now?.pages[0];
      if (isError || !newest) break;
      end = endOf(newest);
      if (newest.events.length > 0) continue;
      queryClient.setQueryData<Pages>(queryKey, withoutFirst);
      // No event is newer: events were added further down, as during an import.
      if (page === 0 && following.current && now.pages.length <= 2) void refetch();
      break;
    }
    return end;
  };
  const { waiting, loadNewer } = useNewerEvents({
    question,
    newest: first && endOf(first),
    isFetching,
    following,
    fetchNewer,
    refetch: () => void refetch(),
  });

  const loadOlder = async () => {
    const oldest = data?.pages.at(-1)?.cursors.older;
    // A pending request may be for the newer end, so this waits for it and retries, one page after the other.
    for (let tries = 0; tries <= maxPagesPerClick; tries += 1) {
      const { data: now, isError } = await fetchNextPage({ cancelRefetch: false });
      if (isError || now?.pages.at(-1)?.cursors.older !== oldest) return;
    }
  };

  useEffect(() => {
    if (!isFetching) return;
    const timer = window.setTimeout(() => void queryClient.cancelQueries({ queryKey: ['timeline'] }), requestTimeoutMs);
    return () => window.clearTimeout(timer);
  }, [isFetching, queryClient]);

  return {
    model,
    kept: first?.kept,
    archived: data?.pages.at(-1)?.archived,
    asOf: first?.dataUpdatedAt,
    error: data ? null : (timeline.error ?? (isFetching ? null : timeoutError)),
    retry: () => void refetch(),
    waiting,
    loadNewer,
    loadingNewer: timeline.isFetchingPreviousPage,
    newerFailed: timeline.isFetchPreviousPageError,
    hasOlder: timeline.hasNextPage,
    loadOlder: () => void loadOlder(),
    loadingOlder: timeline.isFetchingNextPage,
    loading: isFetching,
    olderFailed: timeline.isFetchNextPageError,
    setFollowing: (now) => {
      following.current = now;
    },
  };
}

/** The first page timed out (spec 2.6). The user can retry manually. */
const timeoutError = new ApiError(queryEvents.path, 0, 'The request timed out.');

const endOf = ({ cursors, reachedStart }: TimelinePage): NewestEnd => ({
  cursor: cursors.newer,
  reached: reachedStart,
});

const withoutFirst = (data: Pages | undefined): Pages | undefined => {
  if (!data || data.pages.length < 2) return data;
  const [dropped, next, ...pages] = data.pages;
  if (!dropped || !next) return data;
  // The state of the newest end also applies to the page below it.
  const merged = { ...next, reachedStart: dropped.reachedStart, dataUpdatedAt: dropped.dataUpdatedAt };
  return { pages: [merged, ...pages], pageParams: data.pageParams.slice(1) };
};
