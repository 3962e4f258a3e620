import { notifications } from '@mantine/notifications';
import { createElement } from 'react';
import { ToastOffer } from './ToastOffer.tsx';

/** spec 2.3: milliseconds a toast stays, unless it is fixed. */
export const toastDuration = 4000;

/** Short news at the bottom left. Success and info leave by themselves; an error stays until it is closed. */
export const toast = {
  success: (message: string): string => notifications.show({ message, color: 'green', role: 'status' }),
  info: (message: string): string => notifications.show({ message, color: 'gray', role: 'status' }),
  error: (message: string, title = 'Action failed'): string =>
    notifications.show({ title, message, color: 'red', role: 'alert', autoClose: false }),
  /** Good news with something to do about it, such as Undo; stays twice as long, since it must be read and reached. */
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
