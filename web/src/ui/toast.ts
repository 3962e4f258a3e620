import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { ToastOffer } from './ToastOffer.tsx';

/** Spec 2.3: milliseconds that a toast is shown, unless it is persistent. */
export const toastDuration = 4000;

/** Short messages at the bottom left. Success and info disappear by themselves; an error remains until closed. */
export const toast = {
  success: (message: string): string => notifications.show({ message, color: 'green', role: 'status' }),
  info: (message: string): string => notifications.show({ message, color: 'gray', role: 'status' }),
  error: (message: string, title = 'Action failed'): string =>
    notifications.show({ title, message, color: 'red', role: 'alert', autoClose: false }),
  /** A success message with an action, such as Undo; shown twice as long, so that it can be read and reached. */
  offer: (message: string, label: string, act: () => void): string => {
    const id = notifications.show({ message: '', color: 'green', role: 'status', autoClose: 2 * toastDuration });
    const onTake = () => {
      notifications.hide(id);
      act();
    };
    notifications.update({
      id,
      message: createElement(ToastOffer, { message, label, onTake }),
      color: 'green',
      role: 'status',
      autoClose: 2 * toastDuration,
    });
    return id;
  },
  close: (id: string): void => {
    notifications.hide(id);
  },
};
