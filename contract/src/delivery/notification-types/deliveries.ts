import { type NamedSubject, type NotificationDefinition, owner } from './definition.ts';

/** The page of a failed delivery. */
const deliveryPages = {
  webhook: (id: string, deliveryId: string) => `/organization/webhooks/${id}?delivery=${deliveryId}`,
  evidence_destination: (id: string, deliveryId: string) => `/evidence/destinations/${id}?delivery=${deliveryId}`,
  chat_channel: (id: string) => `/integrations/chat/channels/${id}`,
};

export const deliveryNotifications = {
  'ledger.verification_failed': {
    group: 'Integrations',
    label: 'Ledger verification failed',
    description: 'The ledger does not match its signed checkpoints or the recorded data.',
    severity: 'critical',
    audience: 'read:audit-log',
    mails: owner,
    text: ({ because }: { because: string }) => ({
      scope: 'ledger',
      title: 'Ledger verification failed',
      body: `${because}. The operator can see details with: sightline doctor --ledger`,
      link: '/ledger',
      subject: { kind: 'ledger', ident: '' },
    }),
  },
  'ledger.anchor_failed': {
    group: 'Integrations',
    label: 'Checkpoint not published',
    description: 'An anchor did not accept a ledger checkpoint.',
    severity: 'high',
    audience: 'manage:integrations',
    mails: owner,
    text: ({ anchorId, party, because }: { anchorId: string; party: string; because: string }) => ({
      scope: `ledger:${anchorId}`,
      title: 'A ledger checkpoint was not published',
      body: `${party}: ${because} Sightline tries again. Until then, new entries are not anchored there.`,
      link: '/ledger',
      subject: { kind: 'ledger', ident: anchorId },
    }),
  },
  'delivery.failed': {
    group: 'Integrations',
    label: 'Delivery failed',
    description: 'A delivery of a snapshot, a webhook event or a chat message failed permanently.',
    severity: 'medium',
    audience: 'manage:integrations',
    mails: owner,
    text: ({
      to,
      deliveryId,
      because,
    }: {
      to: NamedSubject & { kind: 'evidence_destination' | 'webhook' | 'chat_channel' };
      deliveryId: string;
      because: string;
    }) => ({
      // The same scope as `webhook.disabled`, which replaces it.
      scope: `${to.kind}:${to.id}`,
      title: `A delivery to ${to.name} failed`,
      titles: `{count} deliveries to ${to.name} failed`,
      body: `Sightline does not try again automatically. ${to.kind === 'chat_channel' ? '' : 'You can send it again. '}${because}`,
      link: deliveryPages[to.kind](to.id, deliveryId),
      subject: { kind: to.kind, ident: to.id },
    }),
  },
  'webhook.disabled': {
    group: 'Integrations',
    label: 'Webhook disabled',
    description: 'Deliveries to a webhook failed for days.',
    severity: 'high',
    audience: 'manage:integrations',
    mails: owner,
    text: ({ webhookId, url }: { webhookId: string; url: string }) => ({
      scope: `webhook:${webhookId}`,
      title: 'A webhook was disabled',
      body: `Deliveries to ${url} failed for days. Check its deliveries, then enable it.`,
      link: '/organization/webhooks',
      subject: { kind: 'webhook', ident: webhookId },
    }),
  },
  'chat.disabled': {
    group: 'Integrations',
    label: 'Chat channel disabled',
    description: 'Messages to a chat channel failed for days, or the channel was deleted.',
    severity: 'high',
    audience: 'manage:integrations',
    mails: owner,
    text: ({ channel, because }: { channel: NamedSubject; because: string }) => ({
      scope: `chat_channel:${channel.id}`,
      title: `Messages to ${channel.name} are disabled`,
      body: `${because} Check the channel, then enable it.`,
      link: `/integrations/chat/channels/${channel.id}`,
      subject: { kind: 'chat_channel', ident: channel.id },
    }),
  },
} as const satisfies Record<string, NotificationDefinition>;
