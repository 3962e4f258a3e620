import { MAX_CHAT_CHANNELS } from '@sightline/contract/delivery/chat.ts';
import type { AuditActor } from '#core/audit.ts';
import type { Services } from '#core/services.ts';
import type { DestinationType } from '../destinations/queries.ts';

export const announceChat = ({ realtime }: Services, orgId: string): void =>
  realtime.notifyOrganization(orgId, 'orgIntegrations', { provider: 'chat' });

export const chatChannels: DestinationType = {
  table: 'chat_target',
  subject: 'chat_channel',
  plural: 'chat channels',
  max: MAX_CHAT_CHANNELS,
  ownersOnly: true,
  rotates: false,
  announce: announceChat,
};

/** Failures and recoveries that no member caused. */
export const clockActor: AuditActor = { clock: true };
