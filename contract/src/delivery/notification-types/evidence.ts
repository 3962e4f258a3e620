import { dayText, deciders, itemThread, type NamedSubject, type NotificationDefinition, owner } from './definition.ts';

interface OwnedItems {
  control: string;
  /** The account that has to remediate them. */
  owner: string;
  items: number;
  /** The first of them. */
  subject: string;
  /** Last day for the first of them; null: none. */
  dueOn: string | null;
}

const remediationContent = (
  event: 'assigned' | 'overdue',
  { control, owner: account, items, subject }: OwnedItems,
  { title, titles, due }: { title: string; titles: string; due: string },
) => ({
  scope: `remediation:${event}:${control}:${account}`,
  title: items === 1 ? title : titles.replace('{count}', String(items)),
  titles,
  body: `${subject}${items === 1 ? '' : ' and others'}.${due}`,
  link: '/remediations',
  subject: { kind: 'control', ident: control },
  count: items,
  assigned: [account],
});

export const evidenceNotifications = {
  'policy.violated': {
    group: 'Policies',
    label: 'Policy violation',
    description: 'An item violates a policy in warn or enforce mode.',
    severity: 'medium',
    audience: 'read:evidence',
    mails: owner,
    text: (facts: {
      policy: NamedSubject;
      /** Violations since the last notification. */
      rows: number;
      /** The first of them. */
      subject: string;
      control: string;
      repository: NamedSubject | null;
    }) => ({
      scope: `policy:${facts.policy.id}`,
      title: `Violation of ${facts.policy.name}`,
      titles: `{count} violations of ${facts.policy.name}`,
      body: `${facts.control}: ${facts.subject}${facts.repository ? `, in ${facts.repository.name}` : ''}`,
      link: `/policies/${facts.policy.id}`,
      subject: { kind: 'policy', ident: facts.policy.id },
      repositoryId: facts.repository?.id ?? null,
      thread: facts.rows === 1 ? itemThread(facts.repository, facts.subject) : null,
      count: facts.rows,
    }),
  },
  'policy.change_requested': {
    group: 'Policies',
    label: 'Policy weakening requested',
    description: 'A change that weakens a policy needs your decision.',
    severity: 'high',
    audience: 'approve:exceptions',
    mails: deciders,
    text: ({ changeId, policy, weakened }: { changeId: string; policy: NamedSubject; weakened: number }) => ({
      scope: `policy_change:${changeId}`,
      title: `A change that weakens ${policy.name} needs your decision`,
      body: `It makes ${weakened === 1 ? '1 setting' : `${weakened} settings`} less strict and applies only after an approval.`,
      link: '/policies/changes',
      subject: { kind: 'policy', ident: policy.id },
    }),
  },
  'policy.change_decided': {
    group: 'Policies',
    label: 'Policy weakening decided',
    description: 'A change of a policy that you requested was approved or rejected.',
    severity: 'medium',
    audience: null,
    mails: [],
    text: (facts: {
      changeId: string;
      policy: NamedSubject;
      approved: boolean;
      /** An account. */
      requestedBy: string;
    }) => ({
      scope: `policy_change:${facts.changeId}:decided`,
      title: `Your change of ${facts.policy.name} was ${facts.approved ? 'approved' : 'rejected'}`,
      body: facts.approved ? 'It applies from now on.' : 'The policy is unchanged.',
      link: '/policies/changes?view=decided',
      subject: { kind: 'policy', ident: facts.policy.id },
      authors: [facts.requestedBy],
    }),
  },
  'control.failed': {
    group: 'Evidence',
    label: 'Control failing',
    description: 'A control that was passing is failing now.',
    severity: 'high',
    audience: 'read:evidence',
    mails: owner,
    text: (facts: {
      control: string;
      title: string;
      runId: string;
      /** Begin of the evaluated period, RFC 3339. */
      from: string;
      failing: number;
    }) => ({
      scope: `control:${facts.runId}`,
      title: `${facts.control} ${facts.title}: failing`,
      body: `${facts.failing === 1 ? '1 item fails' : `${facts.failing} items fail`} in the period from ${dayText(facts.from)}.`,
      link: `/evidence/controls/${facts.control}`,
      subject: { kind: 'control', ident: facts.control },
    }),
  },
  'remediation.assigned': {
    group: 'Evidence',
    label: 'Failing item assigned',
    description: 'You became the owner of failing items of a control.',
    severity: 'medium',
    audience: null,
    mails: [],
    text: (facts: OwnedItems) =>
      remediationContent('assigned', facts, {
        title: `You own a failing item of ${facts.control}`,
        titles: `You own {count} failing items of ${facts.control}`,
        due: facts.dueOn === null ? '' : ` Remediate by ${dayText(facts.dueOn)}.`,
      }),
  },
  'remediation.overdue': {
    group: 'Evidence',
    label: 'Remediation overdue',
    description: 'The due date of a failing item that you own has passed.',
    severity: 'high',
    audience: null,
    mails: [],
    text: (facts: OwnedItems) =>
      remediationContent('overdue', facts, {
        title: `The remediation of an item of ${facts.control} is overdue`,
        titles: `The remediation of {count} items of ${facts.control} is overdue`,
        due: facts.dueOn === null ? '' : ` Due on ${dayText(facts.dueOn)}.`,
      }),
  },
  'access_review.opened': {
    group: 'Members',
    label: 'Access review opened',
    description: 'The quarterly access review needs decisions and a signature.',
    severity: 'medium',
    audience: 'create:evidence',
    mails: deciders,
    text: ({
      review,
      lines,
      until,
    }: {
      review: NamedSubject;
      lines: number;
      /** End of the quarter, RFC 3339. */
      until: string;
    }) => ({
      scope: `access_review:${review.id}`,
      title: `The access review of ${review.name} is open`,
      body: `${lines} ${lines === 1 ? 'member waits' : 'members wait'} for a decision. Sign it by ${dayText(until)}.`,
      link: `/evidence/access-reviews/${review.id}`,
      subject: { kind: 'access_review', ident: review.id },
    }),
  },
  'digest.ready': {
    group: 'Evidence',
    label: 'Commit digests to review',
    description: 'The commit digests of the past week need a review.',
    severity: 'low',
    audience: 'create:evidence',
    mails: ['rol_reviewer'],
    text: ({
      week,
      digests,
    }: {
      /** Its Monday, RFC 3339. */
      week: string;
      digests: number;
    }) => ({
      scope: `digests:${week}`,
      title: `${digests === 1 ? '1 commit digest waits' : `${digests} commit digests wait`} for review`,
      body: `Week from ${dayText(week)}.`,
      link: '/digests?state=open,partly',
      subject: { kind: 'digest', ident: week.slice(0, 10) },
    }),
  },
  'evidence.ready': {
    group: 'Evidence',
    label: 'Snapshot finished',
    description: 'A requested snapshot succeeded or failed.',
    severity: 'low',
    audience: 'create:evidence',
    mails: [],
    text: ({
      snapshot,
      requestedBy,
      problem,
    }: {
      snapshot: NamedSubject;
      /** An account. */
      requestedBy: string;
      /** Why it failed; null if it succeeded. */
      problem: string | null;
    }) => ({
      scope: `snapshot:${snapshot.id}`,
      title: problem === null ? `The snapshot ${snapshot.name} is ready` : `The snapshot ${snapshot.name} failed`,
      body: problem ?? 'Its bundle can be downloaded, verified and shared in an auditor portal.',
      link: `/evidence/snapshots/${snapshot.id}`,
      subject: { kind: 'snapshot', ident: snapshot.id },
      authors: [requestedBy],
    }),
  },
  'portal.requested': {
    group: 'Evidence',
    label: 'Evidence requested',
    description: 'An auditor requested evidence in an auditor portal.',
    severity: 'medium',
    audience: 'create:evidence',
    mails: owner,
    text: ({ portal, auditor, control }: { portal: NamedSubject; auditor: string; control: string | null }) => ({
      scope: `portal:${portal.id}`,
      title: `${auditor} requested evidence`,
      titles: `${auditor} requested evidence {count} times`,
      body: `In the auditor portal ${portal.name}${control === null ? '' : `, for ${control}`}. Your answer is shown there.`,
      link: `/evidence/auditor-portals/${portal.id}`,
      subject: { kind: 'portal', ident: portal.id },
    }),
  },
} as const satisfies Record<string, NotificationDefinition>;
