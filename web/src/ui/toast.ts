import { notifications } from '@mantine/notifications';

/** spec 2.3: milliseconds a toast stays, unless it is fixed. */
export const toastDuration = 4000;

/** Short news at the bottom left. Success and info leave by themselves; an error stays until it is closed. */
export const toast = {
  success: (message: string): string => notifications.show({ message, color: 'green', role: 'status' }),
  info: (message: string): string => notifications.show({ message, color: 'gray', role: 'status' }),
  error: (message: string, title = 'That did not work'): string =>
    notifications.show({ title, message, color: 'red', role: 'alert', autoClose: false }),
  close: (id: string): void => {
    notifications.hide(id);
  },
};
