import { notificationTypeDefinition, notificationTypeNames } from '@sightline/contract/delivery/notification-types.ts';
import { testWebhookEvent } from '@sightline/contract/delivery/outgoing-webhooks.ts';

/** An event in words; one that this version does not know by its own name. */
export function labelOfEvent(type: string): string {
  if (type === testWebhookEvent) return 'Test';
  const known = notificationTypeNames.find((name) => name === type);
  return known ? notificationTypeDefinition(known).label : type;
}

/** What a webhook is told, in a few words. */
export function eventTypesText(types: readonly string[] | null): string {
  if (types === null) return 'Every event';
  const [first, ...rest] = types.map(labelOfEvent);
  return rest.length === 0 ? (first ?? '') : `${first} and ${rest.length} more`;
}
