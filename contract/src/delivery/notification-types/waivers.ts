import {
  dayText,
  deciders,
  itemThread,
  type NamedSubject,
  type NotificationContent,
  type NotificationDefinition,
} from './definition.ts';

interface WaiverFacts {
  /** RFC 3339. */
  until: string;
  /** The account that requested it. */
  requestedBy: string;
}
interface FindingWaiver extends WaiverFacts {
  finding: { id: string; title: string };
  repository: NamedSubject;
}
interface ControlWaiver extends WaiverFacts {
  waiver: { id: string; control: string; subject: string };
  repository: NamedSubject | null;
}
type Waiver = FindingWaiver | ControlWaiver;

interface WaiverText {
  title: string;
  body: string;
  /** Tab of the page of waivers. */
  view: 'open' | 'expiring' | 'decided';
}

/** Content for a waiver of a vulnerability or of an item of a control. */
function contentOf(type: string, waiver: Waiver, { title, body, view }: WaiverText): NotificationContent {
  const authors = type === 'exception.requested' ? [] : [waiver.requestedBy];
  if ('finding' in waiver) {
    const { finding, repository } = waiver;
    return {
      scope: `waiver:${finding.id}:${type}`,
      title,
      body: `${body} In ${repository.name}.`,
      link: `/vulnerabilities/${finding.id}`,
      subject: { kind: 'finding', ident: finding.id },
      repositoryId: repository.id,
      thread: `finding:${finding.id}`,
      authors,
    };
  }
  const { repository } = waiver;
  return {
    scope: `waiver:${waiver.waiver.id}:${type}`,
    title,
    body: repository ? `${body} In ${repository.name}.` : body,
    link: view === 'open' ? '/waivers' : `/waivers?view=${view}`,
    subject: { kind: 'control', ident: waiver.waiver.control },
    repositoryId: repository?.id ?? null,
    thread: itemThread(repository, waiver.waiver.subject),
    authors,
  };
}

/** `waiver for SQL injection in login`, or `waiver of #12 from CHG-01`. */
const waiverOf = (waiver: Waiver): string =>
  'finding' in waiver
    ? `waiver for ${waiver.finding.title}`
    : `waiver of ${waiver.waiver.subject} from ${waiver.waiver.control}`;

export const waiverNotifications = {
  'exception.requested': {
    group: 'Waivers',
    label: 'Waiver requested',
    description: 'A waiver for a vulnerability or a failing control needs your decision.',
    severity: 'medium',
    audience: 'approve:exceptions',
    mails: deciders,
    text: (waiver: Waiver) =>
      contentOf('exception.requested', waiver, {
        title: `A ${waiverOf(waiver)} needs your decision`,
        body: `Requested until ${dayText(waiver.until)}.`,
        view: 'open',
      }),
  },
  'exception.decided': {
    group: 'Waivers',
    label: 'Waiver decided',
    description: 'A waiver that you requested was approved or denied.',
    severity: 'medium',
    audience: null,
    mails: [],
    text: (waiver: Waiver & { approved: boolean }) =>
      contentOf('exception.decided', waiver, {
        title: `Your ${waiverOf(waiver)} was ${waiver.approved ? 'approved' : 'denied'}`,
        body: waiver.approved ? `Waived until ${dayText(waiver.until)}.` : 'It still counts.',
        view: 'decided',
      }),
  },
  'exception.expiring': {
    group: 'Waivers',
    label: 'Waiver expires soon',
    description: 'A waived vulnerability or control failure counts again within a week.',
    severity: 'medium',
    audience: 'approve:exceptions',
    mails: deciders,
    text: (waiver: Waiver) =>
      contentOf('exception.expiring', waiver, {
        title: `The ${waiverOf(waiver)} expires soon`,
        body: `It counts again from ${dayText(waiver.until)}.`,
        view: 'expiring',
      }),
  },
  'exception.expired': {
    group: 'Waivers',
    label: 'Waiver expired',
    description: 'A waiver or an undecided request expired.',
    severity: 'high',
    audience: 'approve:exceptions',
    mails: deciders,
    text: (waiver: Waiver) =>
      contentOf('exception.expired', waiver, {
        title: `The ${waiverOf(waiver)} expired`,
        body: `It was waived or requested until ${dayText(waiver.until)} and counts again.`,
        view: 'decided',
      }),
  },
} as const satisfies Record<string, NotificationDefinition>;
