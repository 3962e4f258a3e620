import { defaultNotificationChannels } from '@sightline/contract/delivery/notification-types.ts';
import {
  changeNotifications,
  countNotifications,
  getNotificationSettings,
  listNotificationDefaults,
  listNotifications,
  saveNotification,
  searchNotifications,
  updateNotificationDefaults,
  updateNotificationSettings,
} from '@sightline/contract/delivery/notifications.ts';
import { endpointCase } from '../../../architecture/endpoint-case.ts';

export const endpointCases = [
  endpointCase(changeNotifications, {
    request: ({ notificationId }) => ({ body: { ids: [notificationId], status: 'read' } }),
    access: { allows: 'members' },
    writesNothing: 'Changes the read state of the member only.',
  }),
  endpointCase(countNotifications, {
    access: { allows: 'members' },
  }),
  endpointCase(getNotificationSettings, {
    access: { allows: 'members' },
  }),
  endpointCase(listNotificationDefaults, {
    access: { allows: ['owner'] },
  }),
  endpointCase(listNotifications, {
    request: () => ({ query: { status: 'unread', search: 'disabled', limit: '5' } }),
    access: { allows: 'members' },
  }),
  endpointCase(saveNotification, {
    request: ({ notificationId }) => ({
      params: { notificationId },
      body: { saved: true },
    }),
    access: {
      allows: ['owner'],
      foreign: 404,
      except: { contributor: 404, reviewer: 404, auditor: 404, exchanged: 404 },
    },
    writesNothing: 'Changes the saved notifications of the member only.',
  }),
  endpointCase(searchNotifications, {
    request: () => ({ query: { query: 'disabled severity:>=low', limit: '5' } }),
    access: { allows: 'members' },
  }),
  endpointCase(updateNotificationDefaults, {
    request: () => ({
      params: { role: 'rol_reviewer' },
      body: {
        matrix: defaultNotificationChannels('rol_reviewer'),
        minSeverity: 'high',
        cadence: 'weekly',
        locked: true,
      },
    }),
    access: { allows: ['owner'] },
    writes: ['notification.defaults_changed'],
  }),
  endpointCase(updateNotificationSettings, {
    request: () => ({
      body: {
        matrix: defaultNotificationChannels('rol_owner'),
        minSeverity: 'low',
        cadence: 'hourly',
        repositories: null,
        timezone: 'Europe/Berlin',
        sendEmpty: true,
        quietHours: { from: '22:00', until: '07:00' },
      },
    }),
    access: { allows: 'members' },
    writesNothing: 'Changes a preference of the member only.',
  }),
];
