import { providers } from '@sightline/contract/core/providers.ts';
import type { PersonalDataItem } from '@sightline/contract/organization/personal-data.ts';
import type { Config } from '#config.ts';
import type { ArchivedEventRow } from '#core/archived-events.ts';

/** One kind of personal data, with its description and the SQL that counts it. */
export interface PersonalDataKind extends Omit<PersonalDataItem, 'count' | 'first' | 'last'> {
  /** SQL that returns n, first and last; $1 is the organization, $2 the IDs of the person, $3 the account. */
  counted: string;
  /** Which archived events of the person are counted too. */
  countsArchived?: (event: Pick<ArchivedEventRow, 'kind' | 'source'>) => boolean;
  /** Which archived events of the person are older than what is counted. */
  beginsWithArchived?: (event: Pick<ArchivedEventRow, 'kind'>) => boolean;
}

const members = 'Members of your organizations';
const readers = 'You, Account Owners, Digest Reviewers and Auditors';
const you = 'Only you';
const account = 'Until the account is deleted';
const organization = 'Until the organization is deleted';
const pseudonymized = 'Your name, address, login and picture are removed. The activity stays under a pseudonymous ID';
const deleted = 'Deleted';

const browsers = ['chrome', 'firefox', 'edge', 'brave', 'opera', 'safari'];
const clipboardKinds = ['browser_clipboard', 'ide_clipboard'];
const otherKinds = ['pull_request', 'member', 'exception', 'policy'];
const textsSql = (texts: readonly string[]) => texts.map((text) => `'${text}'`).join(', ');

const extensionEvents = (side: 'editor' | 'browser', clipboard: boolean) => `
  select count(*)::int as n, min(as_of) as first, max(as_of) as last from event
  where org_id = $1 and actor = any($2::uuid[]) and kind ${clipboard ? 'in' : 'not in'} (${textsSql(clipboardKinds)})
    and kind not in (${textsSql(otherKinds)}) and source not in (${textsSql([...providers, 'sightline'])})
    and source ${side === 'browser' ? '' : 'not '}in (${textsSql(browsers)})`;

/** The same test of an archived event. */
const isExtensionEvent =
  (side: 'editor' | 'browser', clipboard: boolean) =>
  ({ kind, source }: Pick<ArchivedEventRow, 'kind' | 'source'>): boolean =>
    clipboardKinds.includes(kind) === clipboard &&
    !otherKinds.includes(kind) &&
    source !== 'sightline' &&
    !(providers as readonly string[]).includes(source) &&
    browsers.includes(source) === (side === 'browser');

/** All kinds of personal data, by source. */
export const personalDataCatalog = (config: Config): PersonalDataKind[] => [
  ...accountData,
  ...codeHostData,
  ...extensionEventData(config),
  ...extensionStateData,
  ...agentData(config),
  ...activityData,
];

const accountData: PersonalDataKind[] = [
  {
    id: 'profile',
    source: 'account',
    label: 'Profile',
    fields: ['email address', 'full name', 'picture', 'your profile texts', 'login at GitHub'],
    visibleTo: members,
    retention: account,
    erasureEffect: 'Deleted, unless the account belongs to another organization',
    counted:
      'select count(*)::int as n, min(created_at) as first, max(last_login_at) as last from account where id = $3',
  },
  {
    id: 'logins',
    source: 'account',
    label: 'Sign-in methods',
    fields: ['kind', 'ID, name, address and picture at the login'],
    visibleTo: you,
    retention: account,
    erasureEffect: 'Deleted, unless the account belongs to another organization',
    counted:
      'select count(*)::int as n, min(created_at) as first, max(created_at) as last from account_identity where account_id = $3',
  },
  {
    id: 'sessions',
    source: 'account',
    label: 'Browser sessions',
    fields: ['browser and system', 'IP address of the last visit', 'start and last use'],
    visibleTo: you,
    retention: 'Until a day after they end, or 15 days without use',
    erasureEffect: 'Deleted, unless the account belongs to another organization',
    counted:
      'select count(*)::int as n, min(started_at) as first, max(last_seen_at) as last from account_session where account_id = $3',
  },
  {
    id: 'directory',
    source: 'account',
    label: 'Entry in the directory of the organization',
    fields: ['user name', 'name', 'email addresses', 'groups', 'when you were active'],
    visibleTo: 'You and Account Owners',
    retention: 'Until the directory deletes it. When you were active stays as evidence',
    erasureEffect: 'Deleted. When you were active stays under a pseudonymous ID',
    counted: `select count(*)::int as n, min(created_at) as first, max(updated_at) as last from directory_user
              where org_id = $1 and person_id = any($2::uuid[])`,
  },
  {
    id: 'membership',
    source: 'account',
    label: 'Membership',
    fields: ['role', 'status', 'last activity'],
    visibleTo: members,
    retention: organization,
    erasureEffect: 'Ended. The membership stays under a pseudonymous ID',
    counted:
      'select count(*)::int as n, min(created_at) as first, max(last_activity_at) as last from member where org_id = $1 and account_id = $3',
  },
  {
    id: 'names',
    source: 'account',
    label: 'Linked identities',
    fields: ['email addresses', 'logins', 'their names and pictures', 'their sources'],
    visibleTo: readers,
    retention: organization,
    erasureEffect: deleted,
    counted:
      'select count(*)::int as n, min(valid_from) as first, max(valid_from) as last from identity where org_id = $1 and person_id = any($2::uuid[])',
  },
];

const codeHostData: PersonalDataKind[] = [
  {
    id: 'commits',
    source: 'code_hosts',
    label: 'Commits',
    fields: ['name, address and login of author and committer', 'message', 'file names and line numbers', 'time'],
    visibleTo: 'Members with access to the repository',
    retention: organization,
    erasureEffect: pseudonymized,
    counted: `select coalesce(sum(commits), 0)::int as n,
                (select min(as_of) from event where org_id = $1 and actor = any($2::uuid[]) and kind = 'commit') as first, max(last_commit) as last
              from contributor where org_id = $1 and person_id = any($2::uuid[])`,
    beginsWithArchived: ({ kind }) => kind === 'commit',
  },
  {
    id: 'pull_requests',
    source: 'code_hosts',
    label: 'Pull requests',
    fields: ['login and picture of the author', 'title', 'branches', 'size', 'merger or closer', 'times'],
    visibleTo: 'Members with access to the repository',
    retention: organization,
    erasureEffect: pseudonymized,
    counted: `select count(*)::int as n, min(created_at) as first, max(updated_at) as last from pull_request
              where org_id = $1 and author_person = any($2::uuid[])`,
  },
  {
    id: 'reviews',
    source: 'code_hosts',
    label: 'Reviews',
    fields: ['login', 'verdict', 'commit', 'time'],
    visibleTo: 'Members with access to the repository',
    retention: organization,
    erasureEffect: pseudonymized,
    counted: `select count(*)::int as n, min(submitted_at) as first, max(submitted_at) as last from review
              where org_id = $1 and person_id = any($2::uuid[])`,
  },
  {
    id: 'host_access',
    source: 'code_hosts',
    label: 'Access to repositories',
    fields: ['login', 'permission', 'how it was given', 'deploy keys that you added', 'times'],
    visibleTo: readers,
    retention: organization,
    erasureEffect: pseudonymized,
    counted: `select count(*)::int as n, min(c.at) as first, max(c.at) as last
              from access_holder h join access_change c on c.org_id = h.org_id and c.holder_id = h.id
              where h.org_id = $1 and h.person_id = any($2::uuid[])`,
  },
];

/** Events that extensions send, by side; copying expires earlier. */
const extensionEventData = ({
  EVENT_RETENTION_MONTHS: months,
  CLIPBOARD_RETENTION_DAYS: days,
}: Config): PersonalDataKind[] => [
  {
    id: 'editor_events',
    source: 'editor',
    label: 'Commits, tools, pauses and sign-ins in the editor',
    fields: ['kind of activity', 'editor and extension', 'repository, branch and file', 'time'],
    visibleTo: readers,
    retention: `${months} months`,
    erasureEffect: pseudonymized,
    counted: extensionEvents('editor', false),
    countsArchived: isExtensionEvent('editor', false),
  },
  {
    id: 'editor_copies',
    source: 'editor',
    label: 'Copying in the editor',
    fields: ['length', 'kind', 'language', 'repository and file', 'a salted hash', 'time'],
    visibleTo: readers,
    retention: `${days} days`,
    erasureEffect: pseudonymized,
    counted: extensionEvents('editor', true),
    countsArchived: isExtensionEvent('editor', true),
  },
  {
    id: 'browser_events',
    source: 'browser',
    label: 'Visits, pauses and sign-ins in the browser',
    fields: ['host', 'kind of page', 'browser and extension', 'time'],
    visibleTo: readers,
    retention: `${months} months`,
    erasureEffect: pseudonymized,
    counted: extensionEvents('browser', false),
    countsArchived: isExtensionEvent('browser', false),
  },
  {
    id: 'browser_copies',
    source: 'browser',
    label: 'Copying and pasting in the browser',
    fields: ['host', 'length', 'kind', 'a salted hash', 'time'],
    visibleTo: readers,
    retention: `${days} days`,
    erasureEffect: pseudonymized,
    counted: extensionEvents('browser', true),
    countsArchived: isExtensionEvent('browser', true),
  },
];

const extensionStateData: PersonalDataKind[] = [
  {
    id: 'grants',
    source: 'editor',
    label: 'Connected extensions and MCP clients',
    fields: ['program and version', 'name of your machine', 'last use'],
    visibleTo: you,
    retention: 'Until disconnected, or 90 days without use',
    erasureEffect: deleted,
    counted: `select count(*)::int as n, min(created_at) as first, max(last_used_at) as last from extension_grant
              where org_id = $1 and account_id = $3 and revoked_at is null`,
  },
  {
    id: 'presence',
    source: 'editor',
    label: 'Connection history of your extensions',
    fields: ['editor or browser', 'when it came and left, and why'],
    visibleTo: readers,
    retention: organization,
    erasureEffect: 'Stays under a pseudonymous ID',
    counted: `select count(*)::int as n, min(at) as first, max(at) as last from presence_change
              where org_id = $1 and account_id = $3 and side in ('browser', 'ide')`,
  },
  {
    id: 'tools',
    source: 'editor',
    label: 'Detected tools',
    fields: ['tool and version', 'editor, browser or repository', 'first and last detection'],
    visibleTo: readers,
    retention: organization,
    erasureEffect: 'Stays under a pseudonymous ID',
    counted: `select count(*)::int as n, min(first_seen) as first, max(last_seen) as last from tool_person
              where org_id = $1 and person_id = any($2::uuid[])`,
  },
];

const agentData = ({ EVENT_RETENTION_MONTHS: months }: Config): PersonalDataKind[] => [
  {
    id: 'agent_sessions',
    source: 'agents',
    label: 'Sessions of coding agents',
    fields: [
      'agent, version and models',
      'repository and branch',
      'counts of prompts, tokens, tool calls and lines',
      'times',
    ],
    visibleTo: readers,
    retention: `${months} months`,
    erasureEffect: 'Stays under a pseudonymous ID',
    counted: `select count(*)::int as n, min(first_at) as first, max(last_at) as last from agent_session
              where org_id = $1 and person_id = any($2::uuid[])`,
  },
  {
    id: 'agent_records',
    source: 'agents',
    label: 'Activity in sessions of coding agents',
    fields: [
      'kind',
      'model and tool',
      'decision and result',
      'length and keyed hash of prompts',
      'text of prompts, only while the organization stores it',
      'time',
    ],
    visibleTo: readers,
    retention: `${months} months`,
    erasureEffect:
      'Stays under a pseudonymous ID. Hashes of prompts can no longer be computed, and texts can no longer be read',
    counted: `select count(*)::int as n, min(r.at) as first, max(r.at) as last
              from agent_session s join agent_record r on r.org_id = s.org_id and r.session_id = s.id
              where s.org_id = $1 and s.person_id = any($2::uuid[])`,
  },
];

const activityData: PersonalDataKind[] = [
  {
    id: 'audit',
    source: 'sightline',
    label: 'Audit log',
    fields: ['your changes', 'IP address and browser', 'time'],
    visibleTo: 'Account Owners, Digest Reviewers and Auditors',
    retention: organization,
    erasureEffect: 'IP addresses, browsers and names are deleted. The changes stay under a pseudonymous ID',
    counted: `select count(*)::int as n, min(at) as first, max(at) as last from audit_event
              where org_id = $1 and actor_kind = 'account' and actor_id = $3::uuid::text`,
  },
  {
    id: 'personal_keys',
    source: 'sightline',
    label: 'Personal access keys',
    fields: ['name', 'creation and last use'],
    visibleTo: 'You and Account Owners',
    retention: organization,
    erasureEffect: deleted,
    counted: `select count(*)::int as n, min(created_at) as first, max(last_used_at) as last from access_key
              where org_id = $1 and account_id = $3`,
  },
  {
    id: 'notifications',
    source: 'sightline',
    label: 'Notifications',
    fields: ['their content', 'read state', 'your settings'],
    visibleTo: you,
    retention: '90 days after reading. Saved ones stay',
    erasureEffect: deleted,
    counted: `select count(*)::int as n, min(created_at) as first, max(updated_at) as last from notification
              where org_id = $1 and account_id = $3`,
  },
  {
    id: 'views',
    source: 'sightline',
    label: 'Saved views of lists',
    fields: ['name', 'query'],
    visibleTo: 'You, and the organization if shared',
    retention: 'Until you delete them',
    erasureEffect: 'Deleted. Shared ones stay',
    counted: `select count(*)::int as n, min(created_at) as first, max(updated_at) as last from saved_view
              where org_id = $1 and account_id = $3`,
  },
];
