import type { CollectedItem } from '@sightline/contract/organization/collected.ts';
import type { Config } from '#config.ts';

/** One thing that is recorded about people: how it is described, and how it is counted. */
export interface PersonalDataKind extends Omit<CollectedItem, 'count' | 'first' | 'last'> {
  /** Answers n, first and last; $1 is the organisation, $2 the ids of the person, $3 the account. */
  counted: string;
}

const members = 'Members of your organizations';
const readers = 'You, Account Owners, Digest Reviewers and Auditors';
const you = 'You alone';
const account = 'As long as the account';
const organization = 'As long as the organization';
const nameGoes =
  'Your name, address, login and picture are taken out; what happened stays, under an id that identifies no person';
const deleted = 'Deleted';

const extensionEvents = (side: 'editor' | 'browser', clipboard: boolean) => `
  select count(*)::int as n, min(as_of) as first, max(as_of) as last from event
  where org_id = $1 and actor = any($2::uuid[]) and kind ${clipboard ? 'in' : 'not in'} ('browser_clipboard', 'ide_clipboard')
    and kind not in ('pull_request', 'member', 'exception', 'policy') and source not in ('github', 'gitlab', 'bitbucket', 'sightline')
    and source ${side === 'browser' ? '' : 'not '}in ('chrome', 'firefox', 'edge', 'brave', 'opera', 'safari')`;

/** Everything that is recorded about people, by where it comes from. */
export function catalogue({
  EVENT_RETENTION_MONTHS: months,
  CLIPBOARD_RETENTION_DAYS: days,
}: Config): PersonalDataKind[] {
  const events = `${months} months after it happened`;
  const copies = `${days} days after it happened`;
  return [
    {
      id: 'profile',
      source: 'account',
      label: 'Profile',
      fields: ['email address', 'full name', 'picture', 'what you wrote about yourself', 'login at GitHub'],
      seenBy: members,
      kept: account,
      erased: 'Deleted, unless another organization knows the account',
      counted:
        'select count(*)::int as n, min(created_at) as first, max(last_login_at) as last from account where id = $3',
    },
    {
      id: 'logins',
      source: 'account',
      label: 'Ways you sign in',
      fields: ['kind', 'id, name, address and picture at the login you use'],
      seenBy: you,
      kept: account,
      erased: 'Deleted, unless another organization knows the account',
      counted:
        'select count(*)::int as n, min(created_at) as first, max(created_at) as last from account_identity where account_id = $3',
    },
    {
      id: 'sessions',
      source: 'account',
      label: 'Sessions of your browsers',
      fields: ['browser and system', 'network address of the last visit', 'when it began and was last seen'],
      seenBy: you,
      kept: 'A day after they ended, or 15 days unused',
      erased: 'Deleted, unless another organization knows the account',
      counted:
        'select count(*)::int as n, min(started_at) as first, max(last_seen_at) as last from account_session where account_id = $3',
    },
    {
      id: 'membership',
      source: 'account',
      label: 'Membership',
      fields: ['role', 'status', 'last activity'],
      seenBy: members,
      kept: organization,
      erased: 'Ended; the membership stays, under an id that identifies no person',
      counted:
        'select count(*)::int as n, min(created_at) as first, max(last_activity_at) as last from member where org_id = $1 and account_id = $3',
    },
    {
      id: 'names',
      source: 'account',
      label: 'Names you are known by',
      fields: ['email addresses', 'logins', 'names and pictures beside them', 'where each was learnt'],
      seenBy: readers,
      kept: organization,
      erased: deleted,
      counted:
        'select count(*)::int as n, min(valid_from) as first, max(valid_from) as last from identity where org_id = $1 and person_id = any($2::uuid[])',
    },
    {
      id: 'commits',
      source: 'code_hosts',
      label: 'Commits',
      fields: [
        'name, address and login of author and committer',
        'message',
        'names of files and numbers of lines',
        'time',
      ],
      seenBy: 'Whoever may see the repository',
      kept: organization,
      erased: nameGoes,
      counted: `select coalesce(sum(commits), 0)::int as n,
                  (select min(as_of) from event where org_id = $1 and actor = any($2::uuid[]) and kind = 'commit') as first, max(last_commit) as last
                from contributor where org_id = $1 and person_id = any($2::uuid[])`,
    },
    {
      id: 'pull_requests',
      source: 'code_hosts',
      label: 'Pull requests',
      fields: ['login and picture of the author', 'title', 'branches', 'size', 'who merged or closed it', 'times'],
      seenBy: 'Whoever may see the repository',
      kept: organization,
      erased: nameGoes,
      counted: `select count(*)::int as n, min(created_at) as first, max(updated_at) as last from pull_request
                where org_id = $1 and author_person = any($2::uuid[])`,
    },
    {
      id: 'reviews',
      source: 'code_hosts',
      label: 'Reviews',
      fields: ['login', 'verdict', 'commit', 'time'],
      seenBy: 'Whoever may see the repository',
      kept: organization,
      erased: nameGoes,
      counted: `select count(*)::int as n, min(submitted_at) as first, max(submitted_at) as last from review
                where org_id = $1 and person_id = any($2::uuid[])`,
    },
    {
      id: 'editor_events',
      source: 'editor',
      label: 'Commits, tools, pauses and sign-ins in the editor',
      fields: ['what happened', 'editor and extension', 'repository, branch and file', 'time'],
      seenBy: readers,
      kept: events,
      erased: nameGoes,
      counted: extensionEvents('editor', false),
    },
    {
      id: 'editor_copies',
      source: 'editor',
      label: 'Copies in the editor',
      fields: ['length', 'kind', 'language', 'repository and file', 'a salted hash', 'time'],
      seenBy: readers,
      kept: copies,
      erased: nameGoes,
      counted: extensionEvents('editor', true),
    },
    {
      id: 'browser_events',
      source: 'browser',
      label: 'Visits, pauses and sign-ins in the browser',
      fields: ['host', 'kind of page', 'browser and extension', 'time'],
      seenBy: readers,
      kept: events,
      erased: nameGoes,
      counted: extensionEvents('browser', false),
    },
    {
      id: 'browser_copies',
      source: 'browser',
      label: 'Copies and pastes in the browser',
      fields: ['host', 'length', 'kind', 'a salted hash', 'time'],
      seenBy: readers,
      kept: copies,
      erased: nameGoes,
      counted: extensionEvents('browser', true),
    },
    {
      id: 'grants',
      source: 'editor',
      label: 'Extensions that are signed in',
      fields: ['program and version', 'name of your machine', 'when it was last used'],
      seenBy: you,
      kept: 'Until it is ended, or 90 days unused',
      erased: deleted,
      counted: `select count(*)::int as n, min(created_at) as first, max(last_used_at) as last from extension_grant
                where org_id = $1 and account_id = $3 and revoked_at is null`,
    },
    {
      id: 'presence',
      source: 'editor',
      label: 'When your extensions were connected',
      fields: ['editor or browser', 'when it came and left, and why'],
      seenBy: readers,
      kept: organization,
      erased: 'Stays, under an id that identifies no person',
      counted: `select count(*)::int as n, min(at) as first, max(at) as last from presence_change
                where org_id = $1 and account_id = $3 and side in ('browser', 'ide')`,
    },
    {
      id: 'tools',
      source: 'editor',
      label: 'Tools you were seen with',
      fields: ['tool and version', 'editor, browser or repository', 'first and last time'],
      seenBy: readers,
      kept: organization,
      erased: 'Stays, under an id that identifies no person',
      counted: `select count(*)::int as n, min(first_seen) as first, max(last_seen) as last from tool_person
                where org_id = $1 and person_id = any($2::uuid[])`,
    },
    {
      id: 'audit',
      source: 'sightline',
      label: 'Audit log',
      fields: ['what you changed', 'network address and browser', 'time'],
      seenBy: 'Account Owners, Digest Reviewers and Auditors',
      kept: organization,
      erased:
        'Network addresses, browsers and names are deleted; what was changed stays, under an id that identifies no person',
      counted: `select count(*)::int as n, min(at) as first, max(at) as last from audit_event
                where org_id = $1 and actor_kind = 'account' and actor_id = $3::uuid::text`,
    },
    {
      id: 'notifications',
      source: 'sightline',
      label: 'Notifications',
      fields: ['what you were told', 'whether you read it', 'your settings'],
      seenBy: you,
      kept: '90 days after they were read; saved ones stay',
      erased: deleted,
      counted: `select count(*)::int as n, min(created_at) as first, max(updated_at) as last from notification
                where org_id = $1 and account_id = $3`,
    },
    {
      id: 'views',
      source: 'sightline',
      label: 'Saved views of Explore',
      fields: ['name', 'query'],
      seenBy: 'You, and everybody where you shared one',
      kept: 'Until you delete them',
      erased: 'Deleted; shared ones stay',
      counted: `select count(*)::int as n, min(created_at) as first, max(updated_at) as last from explore_view
                where org_id = $1 and account_id = $3`,
    },
  ];
}
