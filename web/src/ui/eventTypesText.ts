import { notificationTypeDefinition, notificationTypeNames } from '@sightline/contract/delivery/notification-types.ts';
import { testWebhookEvent } from '@sightline/contract/delivery/outgoing-webhooks.ts';

/** The label of an event type; the name of a type that this version does not know. */
export function labelOfEvent(type: string): string {
  if (type === testWebhookEvent) return 'Test';
  const known = notificationTypeNames.find((name) => name === type);
  return known ? notificationTypeDefinition(known).label : type;
}

/** Summarizes the event types of a webhook. */
export function eventTypesText(types: readonly string[] | null): string {
  if (types === null) return 'Every event';
  const [first, ...rest] = types.map(labelOfEvent);
  return rest.length === 0 ? (first ?? '') : `${first} and ${rest.length} more`;
}
