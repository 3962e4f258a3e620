import type { Permission, RoleId } from '../../core/permissions.ts';
import type { Severity } from '../../core/severities.ts';

export interface NamedSubject {
  id: string;
  name: string;
}

/** Findings by severity, from critical to info. */
export type SeverityCounts = readonly [number, number, number, number, number];

/** A notification as users read it. */
export interface NotificationContent {
  /** A further notification with the same scope updates an unread one instead of adding another. */
  scope: string;
  title: string;
  /** The title for several, with `{count}`; `title` unless given. */
  titles?: string;
  body?: string;
  /** Path in the web app. */
  link: string;
  icon?: string | null;
  subject: { kind: string; ident: string };
  repositoryId?: string | null;
  /** The finding or pull request that it is about, as a key: messages about the same one are one thread in a chat. */
  thread?: string | null;
  /** Occurrences; 1 unless given. */
  count?: number;
  /** Of findings, the occurrences by severity. */
  tally?: SeverityCounts | null;
  /** Accounts that are notified whatever their role: authors of the cause, and assignees. */
  authors?: readonly string[];
  assigned?: readonly string[];
}

/** What a text needs beside its facts. */
export interface TextContext {
  /** Name of an account. */
  nameOf: (accountId: string) => string;
}

/** A notification type: who is notified, and how its facts become a text. */
export interface NotificationDefinition {
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
  /** For the settings: when a notification is sent. */
  description: string;
  severity: Severity;
  /** Roles with this permission are notified, within its reach. Null: only accounts that the content names. */
  audience: Permission | null;
  /** Accounts that the content names are notified too, whatever their role. */
  names?: true;
  /** Concerns the whole organization: members who see only their own data are not notified. */
  whole?: true;
  /** Each occurrence has its own severity; a threshold excludes lower ones. */
  weighed?: true;
  /** Roles that receive an e-mail by default. Named accounts always do. */
  mails: readonly RoleId[];
  /** Roles whose inbox excludes it by default. */
  spares?: readonly RoleId[];
  text: (facts: never, context: TextContext) => NotificationContent;
}

export const owner = ['rol_owner'] as const;
export const deciders = ['rol_owner', 'rol_reviewer'] as const;
export const quiet = ['rol_reviewer', 'rol_auditor'] as const;

/** The thread of an item of a control, such as a pull request. `subject`: its name within the repository. */
export const itemThread = (repository: NamedSubject | null, subject: string): string =>
  `item:${repository?.id ?? ''}:${subject}`;

const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A date in a text, such as `5 May 2027`, from RFC 3339. */
export const dayText = (at: string): string => date.format(new Date(at));
