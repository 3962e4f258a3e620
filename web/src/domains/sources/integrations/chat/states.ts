import {
  type ChatChannel,
  type ChatServiceName,
  chatMessageStatuses,
  type chatStates,
} from '@sightline/contract/delivery/chat.ts';
import type { Tone } from '#ui/StatusBadge.tsx';
import { categoryPath } from '../categories.ts';

export const chatOwnersOnlyText = 'Only account owner can connect to/disconnect from chat services';

export const chatStateBadges: Record<(typeof chatStates)[number], readonly [Tone, string]> = {
  active: ['green', 'Active'],
  limited: ['yellow', 'Rate limited'],
  failing: ['yellow', 'Failing'],
  waiting: ['red', 'Waiting'],
  off: ['gray', 'Disabled'],
  auto_disabled: ['red', 'Disabled automatically'],
};

export const messageStatusBadges: Record<(typeof chatMessageStatuses)[number], readonly [Tone, string]> = {
  pending: ['blue', 'Queued'],
  delivered: ['green', 'Delivered'],
  failed: ['red', 'Failed'],
};
export const messageStatuses = chatMessageStatuses.map((value) => ({ value, label: messageStatusBadges[value][1] }));

export const isOn = ({ state }: Pick<ChatChannel, 'state'>): boolean => state !== 'off' && state !== 'auto_disabled';

export const chatPath = (service: ChatServiceName): string => `${categoryPath('chat')}/${service}`;
export const channelHref = ({ id }: Pick<ChatChannel, 'id'>): string => `${categoryPath('chat')}/channels/${id}`;
