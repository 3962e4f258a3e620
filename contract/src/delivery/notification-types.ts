import { type Permission, permissionScopeOf, type RoleId } from '../core/permissions.ts';
import type { Severity } from '../core/severities.ts';

/** Channels that each person configures. The organization configures webhooks. */
export const notificationChannels = ['inApp', 'mail'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

interface TypeFacts {
  group:
    | 'Vulnerabilities'
    | 'Waivers'
    | 'Policies'
    | 'Evidence'
    | 'Repositories'
    | 'Tools'
    | 'Integrations'
    | 'Members'
    | 'Extensions';
  label: string;
  /** When the notification is sent, for the settings page. */
  says: string;
  severity: Severity;
  /**
   * Recipients in addition to the named persons: every role with this permission, within its scope. Null: named persons
   * only.
   */
  audience: Permission | null;
  /** Also notifies the persons that the notification is about, regardless of their role. */
  names?: true;
  /** About the entire organization: members with scope `own` are not notified. */
  whole?: true;
  /** Each item has its own severity, and the threshold excludes lower ones. */
  weighed?: true;
  /** Roles that receive email by default. Named persons always do. */
  mails: readonly RoleId[];
  /** Roles without inbox notifications by default. */
  spares?: readonly RoleId[];
}

const owner = ['rol_owner'] as const;
const decidingRoles = ['rol_owner', 'rol_reviewer'] as const;
const rolesWithoutInbox = ['rol_reviewer', 'rol_auditor'] as const;

/** All notification types. Names are permanent, since settings and stored notifications contain them. */
export const notificationTypes = {
  'finding.new': {
    group: 'Vulnerabilities',
    label: 'New vulnerabilities',
    says: 'A scan found a new vulnerability.',
    severity: 'high',
    audience: 'read:vulnerabilities',
    weighed: true,
    mails: decidingRoles,
  },
  'finding.severity_changed': {
    group: 'Vulnerabilities',
    label: 'Severity changed',
    says: 'A scanner changed the severity of an open vulnerability.',
    severity: 'medium',
    audience: 'read:vulnerabilities',
    weighed: true,
    mails: [],
  },
  'exception.requested': {
    group: 'Waivers',
    label: 'Waiver requested',
    says: 'A waiver for a vulnerability or a failing control needs your decision.',
    severity: 'medium',
    audience: 'approve:exceptions',
    mails: decidingRoles,
  },
  'exception.decided': {
    group: 'Waivers',
    label: 'Waiver decided',
    says: 'A waiver that you requested was approved or denied.',
    severity: 'medium',
    audience: null,
    mails: [],
  },
  'exception.expiring': {
    group: 'Waivers',
    label: 'Waiver expires soon',
    says: 'A waived vulnerability or control failure counts again within a week.',
    severity: 'medium',
    audience: 'approve:exceptions',
    mails: decidingRoles,
  },
  'exception.expired': {
    group: 'Waivers',
    label: 'Waiver expired',
    says: 'A waiver or an undecided request expired.',
    severity: 'high',
    audience: 'approve:exceptions',
    mails: decidingRoles,
  },
  'policy.violated': {
    group: 'Policies',
    label: 'Policy violation',
    says: 'An item violates a policy in warn or enforce mode.',
    severity: 'medium',
    audience: 'read:evidence',
    mails: owner,
  },
  'control.failed': {
    group: 'Evidence',
    label: 'Control failing',
    says: 'A control that was passing is failing now.',
    severity: 'high',
    audience: 'read:evidence',
    mails: owner,
  },
  'access_review.opened': {
    group: 'Members',
    label: 'Access review opened',
    says: 'The quarterly access review needs decisions and a signature.',
    severity: 'medium',
    audience: 'create:evidence',
    mails: decidingRoles,
  },
  'digest.ready': {
    group: 'Evidence',
    label: 'Commit digests to review',
    says: 'The commit digests of the past week need a review.',
    severity: 'low',
    audience: 'create:evidence',
    mails: ['rol_reviewer'],
  },
  'evidence.ready': {
    group: 'Evidence',
    label: 'Snapshot finished',
    says: 'A requested snapshot succeeded or failed.',
    severity: 'low',
    audience: 'create:evidence',
    mails: [],
  },
  'portal.requested': {
    group: 'Evidence',
    label: 'Evidence requested',
    says: 'An auditor requested evidence in an auditor portal.',
    severity: 'medium',
    audience: 'create:evidence',
    mails: owner,
  },
  'repository.enabled': {
    group: 'Repositories',
    label: 'Repository enabled',
    says: 'The import of its history started.',
    severity: 'info',
    audience: 'read:github-repos',
    mails: [],
    spares: rolesWithoutInbox,
  },
  'repository.disabled': {
    group: 'Repositories',
    label: 'Repository disabled',
    says: 'Its new activity is no longer imported.',
    severity: 'medium',
    audience: 'read:github-repos',
    mails: owner,
  },
  'tool.new': {
    group: 'Tools',
    label: 'New tool',
    says: 'A tool was detected for the first time.',
    severity: 'low',
    audience: 'read:events',
    whole: true,
    mails: [],
    spares: ['rol_auditor'],
  },
  'integration.failed': {
    group: 'Integrations',
    label: 'Integration failed',
    says: 'A connection failed and needs attention.',
    severity: 'high',
    audience: 'manage:integrations',
    mails: owner,
  },
  'integration.recovered': {
    group: 'Integrations',
    label: 'Integration recovered',
    says: 'A failed connection works again.',
    severity: 'info',
    audience: 'manage:integrations',
    mails: owner,
  },
  'ledger.verification_failed': {
    group: 'Integrations',
    label: 'Ledger verification failed',
    says: 'The ledger does not match its signed checkpoints or the recorded data.',
    severity: 'critical',
    audience: 'read:audit-log',
    mails: owner,
  },
  'ledger.anchor_failed': {
    group: 'Integrations',
    label: 'Checkpoint not published',
    says: 'An anchor did not accept a ledger checkpoint.',
    severity: 'high',
    audience: 'manage:integrations',
    mails: owner,
  },
  'delivery.failed': {
    group: 'Integrations',
    label: 'Delivery failed',
    says: 'A delivery of a snapshot or a webhook event failed permanently.',
    severity: 'medium',
    audience: 'manage:integrations',
    mails: owner,
  },
  'webhook.disabled': {
    group: 'Integrations',
    label: 'Webhook disabled',
    says: 'Deliveries to a webhook failed for days.',
    severity: 'high',
    audience: 'manage:integrations',
    mails: owner,
  },
  'invitation.declined': {
    group: 'Members',
    label: 'Invitation declined',
    says: 'An invited person declined.',
    severity: 'low',
    audience: 'create:invitation',
    mails: [],
  },
  'invitation.expired': {
    group: 'Members',
    label: 'Invitation expired',
    says: 'An invitation expired without a response.',
    severity: 'low',
    audience: 'create:invitation',
    mails: [],
  },
  'invitation.failed': {
    group: 'Members',
    label: 'Invitation not delivered',
    says: 'The invitation email could not be sent.',
    severity: 'medium',
    audience: 'create:invitation',
    mails: owner,
  },
  'member.joined': {
    group: 'Members',
    label: 'Member joined',
    says: 'A person accepted an invitation or was added.',
    severity: 'info',
    audience: 'update:org',
    mails: [],
  },
  'member.left': {
    group: 'Members',
    label: 'Member left or removed',
    says: 'A member left or was removed.',
    severity: 'low',
    audience: 'update:org',
    mails: [],
  },
  'member.role_changed': {
    group: 'Members',
    label: 'Role changed',
    says: 'Your role changed. Account Owners are notified of all role changes.',
    severity: 'medium',
    audience: 'update:org',
    names: true,
    mails: [],
  },
  'member.deactivated': {
    group: 'Members',
    label: 'Member deactivated or reinstated',
    says: 'A member was deactivated or reinstated.',
    severity: 'low',
    audience: 'update:org',
    names: true,
    mails: [],
  },
  'extension.disconnected': {
    group: 'Extensions',
    label: 'Extension disconnected',
    says: 'One of your extensions was signed out by another person or has not reported for a week.',
    severity: 'low',
    audience: null,
    mails: [],
  },
} as const satisfies Record<string, TypeFacts>;

export type NotificationType = keyof typeof notificationTypes;
export const notificationTypeNames = Object.keys(notificationTypes) as [NotificationType, ...NotificationType[]];

export const notificationTypeDefinition = (type: NotificationType): TypeFacts => notificationTypes[type];

/** Whether a role can receive notifications of this type. */
export function canReceiveNotification(role: RoleId, type: NotificationType): boolean {
  const { audience, names, whole } = notificationTypeDefinition(type);
  if (audience === null || names) return true;
  const reach = permissionScopeOf(role, audience);
  return reach === 'all' || (reach === 'own' && !whole);
}

export type NotificationChannelMatrix = Record<NotificationType, Record<NotificationChannel, boolean>>;

/** The default channels of a role. */
export function defaultNotificationChannels(role: RoleId): NotificationChannelMatrix {
  const cells = notificationTypeNames.map((type) => {
    const { mails, spares, audience } = notificationTypeDefinition(type);
    return [type, { inApp: !spares?.includes(role), mail: audience === null || mails.includes(role) }];
  });
  return Object.fromEntries(cells) as NotificationChannelMatrix;
}

/** Lower severities are excluded by default. */
export const defaultNotificationSeverity: Severity = 'medium';
export const defaultCadence = 'daily';
