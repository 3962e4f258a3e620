import { Notifications } from '@mantine/notifications';
import { toastDuration } from '#ui/toast.ts';

/** The position of toasts (spec 2.3). A separate module, since toasts appear only after the first render. */
export const Toasts = () => (
  <Notifications position="bottom-left" autoClose={toastDuration} limit={4} containerWidth={380} />
);
