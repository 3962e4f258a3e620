import { Notifications } from '@mantine/notifications';
import { toastDuration } from '#ui/toast.ts';

/** Where toasts appear (spec 2.3). On its own, since nothing is toasted before the first page is drawn. */
export const Toasts = () => (
  <Notifications position="bottom-left" autoClose={toastDuration} limit={4} containerWidth={380} />
);
