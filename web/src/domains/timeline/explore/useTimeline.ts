import { ApiError } from '@sightline/contract/core/client.ts';
import { queryEvents } from '@sightline/contract/timeline/events.ts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { ExploreQuestion } from './exploreQuery.ts';
import { pagesAtOnce, pagesKept, pendingReset } from './timelineConstants.ts';
import { type Model, modelOf } from './timelineModel.ts';
import { loadPage, type PageStart, type TimelinePage } from './timelinePages.ts';
import { type NewerCount, type NewestEnd, useNewer } from './useNewer.ts';

export interface Timeline {
  /** What is loaded; undefined while the first answer is on its way. */
  model: Model | undefined;
  /** How long events are kept; undefined while the first answer is on its way. */
  kept: TimelinePage['kept'] | undefined;
  /** When the newest end was asked for last. */
  asOf: string | undefined;
  error: ApiError | null;
  retry: () => void;
  /** Newer ones that wait for a click; undefined where none do. */
  waiting: NewerCount | undefined;
  /** Loads newer ones, a thousand at most. */
  loadNewer: () => Promise<void>;
  loadingNewer: boolean;
  newerFailed: boolean;
  hasOlder: boolean;
  loadOlder: () => void;
  loadingOlder: boolean;
  /** Whether anything is on its way, at either end. */
  loading: boolean;
  olderFailed: boolean;
  /** Told by the page: whether what comes in may appear by itself, since nobody would lose their place. */
  setFollowing: (following: boolean) => void;
}

type Pages = InfiniteData<TimelinePage, PageStart>;

/** The timeline of a question: pages at both ends, and news as it comes. */
export function useTimeline(question: ExploreQuestion): Timeline {
  const queryClient = useQueryClient();
  const queryKey = ['timeline', question];
  const timeline = useInfiniteQuery<TimelinePage, ApiError, Pages, readonly unknown[], PageStart>({
    queryKey,
    queryFn: ({ pageParam }) => loadPage(question, pageParam),
    initialPageParam: 'afresh',
    getNextPageParam: ({ reachedEnd, cursors }) =>
      reachedEnd || cursors.older === null ? undefined : { older: cursors.older },
    getPreviousPageParam: ({ cursors }) => (cursors.newer === null ? undefined : { newer: cursors.newer }),
    maxPages: pagesKept,
    // Events never change: pages need not be compared with themselves.
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
    for (let page = 0; page < pagesAtOnce && !end.reached; page += 1) {
      const { data: now, isError } = await fetchPreviousPage({ cancelRefetch: false });
      const newest = now?.pages[0];
      if (isError || !newest) break;
      end = endOf(newest);
      if (newest.events.length > 0) continue;
      queryClient.setQueryData<Pages>(queryKey, withoutFirst);
      // None is newer: they came in further down, as from a history being read in.
      if (page === 0 && following.current && now.pages.length <= 2) void refetch();
      break;
    }
    return end;
  };
  const { waiting, loadNewer } = useNewer({
    question,
    newest: first && endOf(first),
    isFetching,
    following,
    fetchNewer,
    refetch: () => void refetch(),
  });

  const loadOlder = async () => {
    const oldest = data?.pages.at(-1)?.cursors.older;
    // What is on its way already is what is answered, and that may be of the newer end, one page of it after the other.
    for (let tries = 0; tries <= pagesAtOnce; tries += 1) {
      const { data: now, isError } = await fetchNextPage({ cancelRefetch: false });
      if (isError || now?.pages.at(-1)?.cursors.older !== oldest) return;
    }
  };

  useEffect(() => {
    if (!isFetching) return;
    const timer = window.setTimeout(() => void queryClient.cancelQueries({ queryKey: ['timeline'] }), pendingReset);
    return () => window.clearTimeout(timer);
  }, [isFetching, queryClient]);

  return {
    model,
    kept: first?.kept,
    asOf: first?.dataUpdatedAt,
    error: data ? null : (timeline.error ?? (isFetching ? null : gaveUp)),
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

/** The first events did not come in time (spec 2.6): what was given up is asked for again by hand. */
const gaveUp = new ApiError(queryEvents.path, 0, 'The request timed out.');

const endOf = ({ cursors, reachedStart }: TimelinePage): NewestEnd => ({
  cursor: cursors.newer,
  reached: reachedStart,
});

const withoutFirst = (data: Pages | undefined): Pages | undefined => {
  if (!data || data.pages.length < 2) return data;
  const [gone, next, ...pages] = data.pages;
  if (!gone || !next) return data;
  // What it told of the newest end holds for the one below it.
  const kept = { ...next, reachedStart: gone.reachedStart, dataUpdatedAt: gone.dataUpdatedAt };
  return { pages: [kept, ...pages], pageParams: data.pageParams.slice(1) };
};
