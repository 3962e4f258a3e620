import type { ApiError } from '@sightline/contract/core/client.ts';
import {
  listNotifications,
  type Notification,
  type NotificationPage,
} from '@sightline/contract/delivery/notifications.ts';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { type InboxQuery, inboxFilterOf, isInView } from './inboxQuery.ts';

export interface Inbox {
  /** Undefined while loading. */
  items: readonly Notification[] | undefined;
  stale: boolean;
  error: ApiError | null;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
  retry: () => void;
}

/** The notifications of a view, page by page. */
export function useInbox(query: InboxQuery): Inbox {
  const filter = inboxFilterOf(query);
  const result = useInfiniteQuery<NotificationPage, ApiError, Notification[], readonly unknown[], string | undefined>({
    queryKey: [...keyOf(listNotifications), filter],
    queryFn: ({ pageParam }) =>
      call(listNotifications, { query: { ...filter, ...(pageParam !== undefined && { cursor: pageParam }) } }),
    initialPageParam: undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => uniqueOf(pages.flatMap(({ items }) => items)),
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });
  return {
    items: result.data?.filter((item) => isInView(query.view, item)),
    stale: result.isPlaceholderData,
    error: result.error,
    hasMore: result.hasNextPage,
    loadingMore: result.isFetchingNextPage,
    loadMore: () => void result.fetchNextPage(),
    retry: () => void result.refetch(),
  };
}

// A repeated notification moves to the top, so it can occur on two pages fetched at different times.
const uniqueOf = (items: readonly Notification[]) => [...new Map(items.map((item) => [item.id, item])).values()];
