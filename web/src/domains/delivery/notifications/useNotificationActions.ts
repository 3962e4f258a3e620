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
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { invalidateTopics } from '#lib/topics.ts';
import { toast } from '#ui/toast.ts';

export interface NotificationActions {
  /** Sets the status of notifications. `words` is the confirmation, shown with Undo. */
  mark: (items: readonly Notification[], status: NotificationStatus, words?: string) => void;
  markAll: (status: 'read' | 'archived') => void;
  save: (item: Notification, saved: boolean) => void;
}

/** Requests run one after the other: an undo must not overtake the change that it reverts. A toast shows their failures. */
const sequential = { scope: { id: 'notifications' }, networkMode: 'always', meta: { quiet: true } } as const;

/** Updates the lists immediately and then the server. If that fails, the lists are restored and the reason is shown. */
export function useNotificationActions(): NotificationActions {
  const queryClient = useQueryClient();
  const status = useMutation({
    ...sequential,
    mutationFn: (body: ChangeStatus) => call(changeNotifications, { body }),
  });
  const saving = useMutation({
    ...sequential,
    mutationFn: ({ notificationId, saved }: { notificationId: string; saved: boolean }) =>
      call(saveNotification, { params: { notificationId }, body: { saved } }),
  });
  const send = async (change: ChangeStatus, undo: () => void) => {
    try {
      const { unread } = await status.mutateAsync(change);
      queryClient.setQueryData(keyOf(countNotifications, {}), { count: unread });
    } catch (error) {
      undo();
      toast.error(errorMessageOf(error as Error, 'The notification was not updated.'));
    }
  };
  const mark: NotificationActions['mark'] = (items, next, words) => {
    const changing = items.filter((item) => item.status !== next);
    if (changing.length === 0) return;
    const ids = changing.map(({ id }) => id);
    const undo = patch(queryClient, ids, { status: next });
    void send({ ids, status: next }, undo);
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
    markAll: (next) => {
      const undo = patch(queryClient, undefined, { status: next });
      void send({ all: true, status: next }, undo).then(() => invalidateTopics(queryClient, ['notifications']));
    },
    save: (item, saved) => {
      const undo = patch(queryClient, [item.id], { saved });
      saving.mutateAsync({ notificationId: item.id, saved }).catch((error: Error) => {
        undo();
        toast.error(errorMessageOf(error, 'The notification was not saved.'));
      });
    },
  };
}

type Pages = InfiniteData<NotificationPage>;

/** Changes the given notifications, or all unread ones, in every cached list. Returns a function that reverts it. */
function patch(
  queryClient: QueryClient,
  ids: readonly string[] | undefined,
  change: Partial<Pick<Notification, 'status' | 'saved'>>,
): () => void {
  const queryKey = keyOf(listNotifications);
  const before = queryClient.getQueriesData<Pages>({ queryKey });
  const isAffected = ({ id, status }: Notification) => (ids ? ids.includes(id) : status === 'unread');
  queryClient.setQueriesData<Pages>(
    { queryKey },
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((item) => (isAffected(item) ? { ...item, ...change } : item)),
        })),
      },
  );
  return () => {
    for (const [key, data] of before) queryClient.setQueryData(key, data);
  };
}
