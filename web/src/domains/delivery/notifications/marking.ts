import {
  type ChangeStatus,
  changeNotifications,
  countNotifications,
  listNotifications,
  type Notification,
  type NotificationPage,
  type NotificationStatus,
  saveNotification,
} from '@sightline/contract/delivery/notifications.ts';
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { toast } from '#ui/toast.ts';

export interface Marking {
  /** Sets the status of some; `words` says so and offers to take it back. */
  mark: (items: readonly Notification[], status: NotificationStatus, words?: string) => void;
  markAll: (status: 'read' | 'archived') => void;
  save: (item: Notification, saved: boolean) => void;
}

/** Marks what is shown at once and tells the server; where that fails everything is as it was, with the reason. */
export function useMarking(): Marking {
  const queryClient = useQueryClient();
  const send = async (change: ChangeStatus, undo: () => void) => {
    try {
      const { unread } = await call(changeNotifications, { body: change });
      queryClient.setQueryData(keyOf(countNotifications, {}), { count: unread });
    } catch (error) {
      undo();
      toast.error(reasonOf(error as Error, 'The notification was not updated.'));
    }
  };
  const mark: Marking['mark'] = (items, status, words) => {
    const changing = items.filter((item) => item.status !== status);
    if (changing.length === 0) return;
    const ids = changing.map(({ id }) => id);
    const undo = patch(queryClient, ids, { status });
    void send({ ids, status }, undo);
    if (words === undefined) return;
    toast.offer(words, 'Undo', () => {
      for (const [before, same] of Map.groupBy(changing, (item) => item.status)) {
        const back = same.map(({ id }) => id);
        void send({ ids: back, status: before }, patch(queryClient, back, { status: before }));
      }
    });
  };
  return {
    mark,
    markAll: (status) => {
      const undo = patch(queryClient, undefined, { status });
      void send({ all: true, status }, undo).then(() =>
        queryClient.invalidateQueries({ queryKey: keyOf(listNotifications) }),
      );
    },
    save: (item, saved) => {
      const undo = patch(queryClient, [item.id], { saved });
      call(saveNotification, { params: { notificationId: item.id }, body: { saved } }).catch((error: Error) => {
        undo();
        toast.error(reasonOf(error, 'The notification was not saved.'));
      });
    },
  };
}

type Pages = InfiniteData<NotificationPage>;

/** Changes notifications in every list that holds them, all unread ones without ids; answers what takes that back. */
function patch(
  queryClient: QueryClient,
  ids: readonly string[] | undefined,
  change: Partial<Pick<Notification, 'status' | 'saved'>>,
): () => void {
  const queryKey = keyOf(listNotifications);
  const before = queryClient.getQueriesData<Pages>({ queryKey });
  const isMeant = ({ id, status }: Notification) => (ids ? ids.includes(id) : status === 'unread');
  queryClient.setQueriesData<Pages>(
    { queryKey },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((item) => (isMeant(item) ? { ...item, ...change } : item)),
        })),
      },
  );
  return () => {
    for (const [key, data] of before) queryClient.setQueryData(key, data);
  };
}
