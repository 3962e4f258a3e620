import type {
  deliveryStatuses,
  OutgoingWebhook,
  webhookStates,
} from '@sightline/contract/delivery/outgoing-webhooks.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

export const webhookStateBadges: Record<(typeof webhookStates)[number], readonly [Tone, string]> = {
  active: ['green', 'Active'],
  failing: ['yellow', 'Failing'],
  off: ['gray', 'Disabled'],
  auto_disabled: ['red', 'Disabled automatically'],
};

export const deliveryStatusBadges: Record<(typeof deliveryStatuses)[number], readonly [Tone, string]> = {
  pending: ['blue', 'Queued'],
  delivered: ['green', 'Delivered'],
  failed: ['red', 'Failed'],
};

export const isOn = ({ state }: OutgoingWebhook): boolean => state === 'active' || state === 'failing';

/** The host of a webhook, which names it in messages: 'hooks.example'. */
export const hostOf = ({ url }: Pick<OutgoingWebhook, 'url'>): string => new URL(url).host;

export const webhooksPath = '/organization/webhooks';
export const webhookHref = ({ id }: Pick<OutgoingWebhook, 'id'>): string => `${webhooksPath}/${id}`;
