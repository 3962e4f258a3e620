import { type Permission, type RoleId, reachOf } from '../core/permissions.ts';
import type { Severity } from '../core/severities.ts';

/** Ways to reach somebody that each person chooses for themselves. Webhooks are chosen by the organisation. */
export const notificationChannels = ['inApp', 'mail'] as const;
export type NotificationChannel = (typeof notificationChannels)[number];

interface TypeFacts {
  group:
    | 'Vulnerabilities'
    | 'Exceptions'
    | 'Policies'
    | 'Evidence'
    | 'Repositories'
    | 'Tools'
    | 'Integrations'
    | 'Members'
    | 'Extensions';
  label: string;
  /** When it is told, for whoever chooses. */
  says: string;
  severity: Severity;
  /** Who hears of it beside whom it names: every role that holds this, as far as it reaches. Null: whom it names alone. */
  audience: Permission | null;
  /** Told whom it is about too, whatever their role. */
  names?: true;
  /** Of the organisation as a whole: who sees no more than their own is not told. */
  whole?: true;
  /** Each piece has a severity of its own, and a threshold leaves the milder ones out. */
  weighed?: true;
  /** Roles that are mailed unless they choose otherwise; whom it names is always. */
  mails: readonly RoleId[];
  /** Roles in whose inbox it is not unless they choose so. */
  spares?: readonly RoleId[];
}

const owner = ['rol_owner'] as const;
const deciders = ['rol_owner', 'rol_reviewer'] as const;
const quiet = ['rol_reviewer', 'rol_auditor'] as const;

/** Everything somebody can be told. Names stay for ever: settings and old notifications hold them. */
export const notificationTypes = {
  'finding.new': {
    group: 'Vulnerabilities',
    label: 'New vulnerabilities',
    says: 'A scan found something that was not known before.',
    severity: 'high',
    audience: 'read:vulnerabilities',
    weighed: true,
    mails: deciders,
  },
  'finding.severity_changed': {
    group: 'Vulnerabilities',
    label: 'Severity changed',
    says: 'A scanner rates an open vulnerability differently than before.',
    severity: 'medium',
    audience: 'read:vulnerabilities',
    weighed: true,
    mails: [],
  },
  'exception.requested': {
    group: 'Exceptions',
    label: 'Exception requested',
    says: 'Somebody asks that a vulnerability be accepted, or a control be broken, until a day, and you may decide.',
    severity: 'medium',
    audience: 'approve:exceptions',
    mails: deciders,
  },
  'exception.decided': {
    group: 'Exceptions',
    label: 'Exception decided',
    says: 'An exception you asked for was approved or refused.',
    severity: 'medium',
    audience: null,
    mails: [],
  },
  'exception.expiring': {
    group: 'Exceptions',
    label: 'Exception about to end',
    says: 'A vulnerability, or what breaks a control, counts again within a week.',
    severity: 'medium',
    audience: 'approve:exceptions',
    mails: deciders,
  },
  'exception.expired': {
    group: 'Exceptions',
    label: 'Exception ended',
    says: 'The time of an exception, or of a request nobody decided, is over.',
    severity: 'high',
    audience: 'approve:exceptions',
    mails: deciders,
  },
  'policy.violated': {
    group: 'Policies',
    label: 'Policy not kept',
    says: 'Something broke a policy that warns or is enforced.',
    severity: 'medium',
    audience: 'read:evidence',
    mails: owner,
  },
  'control.failed': {
    group: 'Evidence',
    label: 'Control not met any more',
    says: 'A control that was met when it was judged before is not met now.',
    severity: 'high',
    audience: 'read:evidence',
    mails: owner,
  },
  'access_review.opened': {
    group: 'Members',
    label: 'Access review opened',
    says: 'The quarter nears its end: somebody has to look at what every member may do, and sign.',
    severity: 'medium',
    audience: 'create:evidence',
    mails: deciders,
  },
  'digest.ready': {
    group: 'Evidence',
    label: 'Commit digests to review',
    says: 'A week is over, and what happened in each repository waits for somebody to review it.',
    severity: 'low',
    audience: 'create:evidence',
    mails: ['rol_reviewer'],
  },
  'evidence.ready': {
    group: 'Evidence',
    label: 'Snapshot made',
    says: 'A snapshot that somebody asked for is there, or could not be made.',
    severity: 'low',
    audience: 'create:evidence',
    mails: [],
  },
  'room.requested': {
    group: 'Evidence',
    label: 'Auditor asks for evidence',
    says: 'Somebody in an auditor room asks for something and waits for an answer.',
    severity: 'medium',
    audience: 'create:evidence',
    mails: owner,
  },
  'repository.enabled': {
    group: 'Repositories',
    label: 'Repository enabled',
    says: 'Its history is being read in.',
    severity: 'info',
    audience: 'read:github-repos',
    mails: [],
    spares: quiet,
  },
  'repository.disabled': {
    group: 'Repositories',
    label: 'Repository disabled',
    says: 'Nothing new of it is read any more.',
    severity: 'medium',
    audience: 'read:github-repos',
    mails: owner,
  },
  'tool.new': {
    group: 'Tools',
    label: 'New tool',
    says: 'A tool was seen for the first time.',
    severity: 'low',
    audience: 'read:events',
    whole: true,
    mails: [],
    spares: ['rol_auditor'],
  },
  'integration.failed': {
    group: 'Integrations',
    label: 'Integration failed',
    says: 'A connection stopped working and needs somebody.',
    severity: 'high',
    audience: 'manage:integrations',
    mails: owner,
  },
  'integration.recovered': {
    group: 'Integrations',
    label: 'Integration works again',
    says: 'A connection that had failed came back.',
    severity: 'info',
    audience: 'manage:integrations',
    mails: owner,
  },
  'ledger.verification_failed': {
    group: 'Integrations',
    label: 'Ledger does not verify',
    says: 'What the ledger holds no longer agrees with what was signed or with the rest of the data.',
    severity: 'critical',
    audience: 'read:audit-log',
    mails: owner,
  },
  'ledger.anchor_failed': {
    group: 'Integrations',
    label: 'Checkpoint could not be left',
    says: 'Somebody who is to have checkpoints of the ledger did not take one.',
    severity: 'high',
    audience: 'manage:integrations',
    mails: owner,
  },
  'delivery.failed': {
    group: 'Integrations',
    label: 'Delivery failed',
    says: 'A snapshot on its way to an exporter, or an event on its way to an outgoing webhook, is not tried any more.',
    severity: 'medium',
    audience: 'manage:integrations',
    mails: owner,
  },
  'webhook.disabled': {
    group: 'Integrations',
    label: 'Outgoing webhook switched off',
    says: 'An address did not take deliveries for days.',
    severity: 'high',
    audience: 'manage:integrations',
    mails: owner,
  },
  'invitation.declined': {
    group: 'Members',
    label: 'Invitation declined',
    says: 'Somebody you or another owner invited said no.',
    severity: 'low',
    audience: 'create:invitation',
    mails: [],
  },
  'invitation.expired': {
    group: 'Members',
    label: 'Invitation expired',
    says: 'Nobody answered an invitation in its time.',
    severity: 'low',
    audience: 'create:invitation',
    mails: [],
  },
  'invitation.failed': {
    group: 'Members',
    label: 'Invitation not delivered',
    says: 'The mail with an invitation could not be sent.',
    severity: 'medium',
    audience: 'create:invitation',
    mails: owner,
  },
  'member.joined': {
    group: 'Members',
    label: 'Member joined',
    says: 'Somebody accepted an invitation, or was made a member.',
    severity: 'info',
    audience: 'update:org',
    mails: [],
  },
  'member.left': {
    group: 'Members',
    label: 'Member left or removed',
    says: 'Somebody is no member any more.',
    severity: 'low',
    audience: 'update:org',
    mails: [],
  },
  'member.role_changed': {
    group: 'Members',
    label: 'Role changed',
    says: 'Your role, or as an owner that of anybody.',
    severity: 'medium',
    audience: 'update:org',
    names: true,
    mails: [],
  },
  'member.deactivated': {
    group: 'Members',
    label: 'Member deactivated or reinstated',
    says: 'Somebody was shut out or let in again.',
    severity: 'low',
    audience: 'update:org',
    names: true,
    mails: [],
  },
  'extension.disconnected': {
    group: 'Extensions',
    label: 'Extension disconnected',
    says: 'One of your extensions was signed out by somebody else, or has been silent for a week.',
    severity: 'low',
    audience: null,
    mails: [],
  },
} as const satisfies Record<string, TypeFacts>;

export type NotificationType = keyof typeof notificationTypes;
export const notificationTypeNames = Object.keys(notificationTypes) as [NotificationType, ...NotificationType[]];

export const factsOfType = (type: NotificationType): TypeFacts => notificationTypes[type];

/** Whether somebody of a role can ever be told of it. */
export function canHear(role: RoleId, type: NotificationType): boolean {
  const { audience, names, whole } = factsOfType(type);
  if (audience === null || names) return true;
  const reach = reachOf(role, audience);
  return reach === 'all' || (reach === 'own' && !whole);
}

export type NotificationMatrix = Record<NotificationType, Record<NotificationChannel, boolean>>;

/** What a role is told where nobody chose anything. */
export function matrixOf(role: RoleId): NotificationMatrix {
  const cells = notificationTypeNames.map((type) => {
    const { mails, spares, audience } = factsOfType(type);
    return [type, { inApp: !spares?.includes(role), mail: audience === null || mails.includes(role) }];
  });
  return Object.fromEntries(cells) as NotificationMatrix;
}

/** Milder findings than this are not told of unless somebody chooses so. */
export const defaultThreshold: Severity = 'medium';
export const defaultCadence = 'daily';
