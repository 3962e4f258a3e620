import { roleNames } from '@sightline/contract/core/permissions.ts';
import { severities } from '@sightline/contract/core/severities.ts';
import { notificationTypeDefinition } from '@sightline/contract/delivery/notification-types.ts';
import { formatDay } from '#core/day.ts';
import type { News, Tally } from './notice.ts';

/** A piece of news as people read it, and whom it concerns by name. */
export interface NotificationText {
  type: News['type'];
  /** What is told again under the same key while unread adds to it. */
  scope: string;
  /** For one, and for `{count}` of them. */
  title: string;
  titles: string;
  body: string;
  link: string;
  icon: string | null;
  subject: { kind: string; ident: string };
  repositoryId: string | null;
  severity: number;
  /** How often it happened; of findings by severity. */
  count: number;
  tally: Tally | null;
  /** Accounts that hear of it whatever their role. */
  authors: readonly string[];
  assigned: readonly string[];
  /** Events of the timeline behind it, the newest last. */
  events: readonly string[];
}

const severityOf = (type: News['type']) => severities.indexOf(notificationTypeDefinition(type).severity);

/** `nameOf`: what people call an account. */
export function wordsOf(news: News, nameOf: (accountId: string) => string): NotificationText {
  const plain = (
    told: Omit<Partial<NotificationText>, 'type'> & Pick<NotificationText, 'scope' | 'title' | 'link' | 'subject'>,
  ): NotificationText => ({
    type: news.type,
    titles: told.title,
    body: '',
    icon: null,
    repositoryId: null,
    severity: severityOf(news.type),
    count: 1,
    tally: null,
    authors: [],
    assigned: [],
    events: news.events ?? [],
    ...told,
  });
  switch (news.type) {
    case 'finding.new':
    case 'finding.severity_changed': {
      const { repository, tool, tally } = news;
      const isNew = news.type === 'finding.new';
      const [one, many] = isNew
        ? ['A new vulnerability in', '{count} new vulnerabilities in']
        : ['The severity of a vulnerability changed in', 'The severity of {count} vulnerabilities changed in'];
      return plain({
        // Its count is that of the scanner it names.
        scope: `${news.type}:${repository.id}:${tool}`,
        title: `${one} ${repository.name}`,
        titles: `${many} ${repository.name}`,
        body: isNew ? `Found by ${tool}` : `Rated by ${tool}`,
        link: `/vulnerabilities?repository=${repository.id}`,
        subject: { kind: 'repository', ident: repository.name },
        repositoryId: repository.id,
        count: tally.reduce((sum, count) => sum + count, 0),
        tally,
      });
    }
    case 'exception.requested':
    case 'exception.decided':
    case 'exception.expiring':
    case 'exception.expired': {
      if ('leave' in news) return plain(ofLeave(news, day(news.until)));
      const { finding, repository, until, requestedBy } = news;
      const [title, body] = ofException(news, day(until));
      return plain({
        scope: `exception:${finding.id}:${news.type}`,
        title,
        body: `${body} In ${repository.name}.`,
        link: `/vulnerabilities/${finding.id}`,
        subject: { kind: 'finding', ident: finding.id },
        repositoryId: repository.id,
        authors: news.type === 'exception.requested' ? [] : [requestedBy],
      });
    }
    case 'policy.violated': {
      const { policy, rows, subject, control, repository } = news;
      return plain({
        scope: `policy:${policy.id}`,
        title: `Violation of ${policy.name}`,
        titles: `{count} violations of ${policy.name}`,
        body: `${control}: ${subject}${repository ? `, in ${repository.name}` : ''}`,
        link: `/policies/${policy.id}`,
        subject: { kind: 'policy', ident: policy.id },
        repositoryId: repository?.id ?? null,
        count: rows,
      });
    }
    case 'control.failed': {
      const { control, title, runId, from, exceptions } = news;
      return plain({
        scope: `control:${runId}`,
        title: `${control} ${title}: failing`,
        body: `${exceptions === 1 ? '1 item does' : `${exceptions} items do`} not keep it in the period from ${day(from)}.`,
        link: `/evidence/controls/${control}`,
        subject: { kind: 'control', ident: control },
      });
    }
    case 'access_review.opened': {
      const { review, lines, until } = news;
      return plain({
        scope: `access_review:${review.id}`,
        title: `The access review of ${review.name} is open`,
        body: `${lines} ${lines === 1 ? 'member waits' : 'members wait'} for a decision. Sign it by ${day(until)}.`,
        link: `/evidence/access-reviews/${review.id}`,
        subject: { kind: 'access_review', ident: review.id },
      });
    }
    case 'digest.ready': {
      const { week, digests } = news;
      return plain({
        scope: `digests:${week}`,
        title: `${digests === 1 ? '1 commit digest waits' : `${digests} commit digests wait`} for review`,
        body: `Week from ${day(week)}.`,
        link: '/digests?state=open,partly',
        subject: { kind: 'digest', ident: week.slice(0, 10) },
      });
    }
    case 'evidence.ready': {
      const { snapshot, requestedBy, problem } = news;
      return plain({
        scope: `snapshot:${snapshot.id}`,
        title: problem === null ? `The snapshot ${snapshot.name} is ready` : `The snapshot ${snapshot.name} failed`,
        body: problem ?? 'Its bundle can be downloaded, verified and shared in an auditor portal.',
        link: `/evidence/snapshots/${snapshot.id}`,
        subject: { kind: 'snapshot', ident: snapshot.id },
        authors: [requestedBy],
      });
    }
    case 'portal.requested': {
      const { portal, auditor, control } = news;
      return plain({
        scope: `portal:${portal.id}`,
        title: `${auditor} requested evidence`,
        titles: `${auditor} requested evidence {count} times`,
        body: `In the auditor portal ${portal.name}${control === null ? '' : `, for ${control}`}. Your answer is shown there.`,
        link: `/evidence/auditor-portals/${portal.id}`,
        subject: { kind: 'portal', ident: portal.id },
      });
    }
    case 'repository.enabled':
    case 'repository.disabled': {
      const { repository } = news;
      const isEnabled = news.type === 'repository.enabled';
      return plain({
        // Enabling and disabling take turns: the last word replaces the one before.
        scope: `repository:${repository.id}`,
        title: `${repository.name} was ${isEnabled ? 'enabled' : 'disabled'}`,
        body: isEnabled ? 'The import of its history started.' : 'Imported data is kept. New activity is not imported.',
        link: isEnabled ? `/repository/${repository.id}` : '/repositories',
        subject: { kind: 'repository', ident: repository.name },
        repositoryId: repository.id,
      });
    }
    case 'tool.new': {
      const { tools } = news;
      const [first] = tools;
      const [one] = tools.length === 1 && first ? [first] : [];
      const names = tools.slice(0, 5).map(({ name }) => name);
      return plain({
        scope: 'tool.new',
        title: one ? `${one.name} was detected for the first time` : 'A tool was detected for the first time',
        titles: '{count} tools were detected for the first time',
        // How many there are is the title's: it goes on counting while nobody has read it.
        body: one ? '' : `Including ${names.join(', ')}`,
        link: one ? `/tools/${encodeURIComponent(one.id)}` : '/tools',
        subject: { kind: 'tool', ident: one?.id ?? '' },
        count: tools.length,
      });
    }
    case 'integration.failed':
    case 'integration.recovered': {
      const failed = news.type === 'integration.failed';
      return plain({
        scope: `integration:${news.key}`,
        title: failed ? `${news.name} failed` : `${news.name} recovered`,
        body: failed ? news.message : 'Missed data is being imported.',
        link: `/integrations/${news.category}`,
        icon: news.key.split(':')[0] ?? null,
        subject: { kind: 'integration', ident: news.key },
      });
    }
    case 'ledger.verification_failed':
      return plain({
        scope: 'ledger',
        title: 'Ledger verification failed',
        body: `${news.because}. The operator can see details with: sightline doctor --ledger`,
        link: '/ledger',
        subject: { kind: 'ledger', ident: '' },
      });
    case 'ledger.anchor_failed':
      return plain({
        scope: `ledger:${news.anchorId}`,
        title: 'A ledger checkpoint was not published',
        body: `${news.party}: ${news.because} Sightline tries again. Until then, new entries are not anchored there.`,
        link: '/ledger',
        subject: { kind: 'ledger', ident: news.anchorId },
      });
    case 'delivery.failed': {
      const { to, deliveryId, because } = news;
      const page = to.kind === 'evidence_destination' ? '/evidence/destinations' : '/organization/webhooks';
      return plain({
        // Of a webhook that is switched off next, the last word stands alone.
        scope: `${to.kind}:${to.id}`,
        title: `A delivery to ${to.name} failed`,
        titles: `{count} deliveries to ${to.name} failed`,
        body: `Sightline does not try again automatically. You can send it again. ${because}`,
        link: `${page}/${to.id}?delivery=${deliveryId}`,
        subject: { kind: to.kind, ident: to.id },
      });
    }
    case 'webhook.disabled':
      return plain({
        scope: `webhook:${news.webhookId}`,
        title: 'A webhook was disabled',
        body: `Deliveries to ${news.url} failed for days. Check its deliveries, then enable it.`,
        link: '/organization/webhooks',
        subject: { kind: 'webhook', ident: news.webhookId },
      });
    case 'invitation.declined':
    case 'invitation.expired':
    case 'invitation.failed': {
      const [title, body] = ofInvitation(news.type, news.email);
      return plain({
        scope: `invitation:${news.invitationId}:${news.type}`,
        title,
        body,
        link: '/organization/members',
        subject: { kind: 'invitation', ident: news.invitationId },
        authors: [news.invitedBy],
      });
    }
    case 'member.joined':
      return ofMember(`${nameOf(news.accountId)} joined as ${roleNames[news.role]}`);
    case 'member.left':
      return ofMember(
        news.removed ? `${nameOf(news.accountId)} was removed` : `${nameOf(news.accountId)} left the organization`,
      );
    case 'member.role_changed':
      return ofMember(
        `${nameOf(news.accountId)} is ${roleNames[news.after]} now`,
        `Before: ${roleNames[news.before]}.`,
        [news.accountId],
      );
    case 'member.deactivated':
      return news.reinstated
        ? ofMember(`${nameOf(news.accountId)} was reinstated`, '', [news.accountId])
        : ofMember(`${nameOf(news.accountId)} was deactivated`);
    case 'extension.disconnected':
      return plain({
        scope: `extension:${news.program}`,
        title:
          news.silentSince === null
            ? `Your extension in ${news.program} was signed out`
            : `Your extension in ${news.program} does not report`,
        body:
          news.silentSince === null
            ? 'Recorded events are queued there until you sign in again. Sign out there to stop recording.'
            : `It has not reported since ${day(news.silentSince)}. Open ${news.program} and check whether it is signed in.`,
        link: '/account#extensions',
        subject: { kind: 'account', ident: news.accountId },
        assigned: [news.accountId],
      });
  }

  function ofMember(title: string, body = '', assigned: readonly string[] = []): NotificationText {
    const id = 'accountId' in news ? news.accountId : '';
    return plain({
      scope: `${news.type}:${id}`,
      title,
      body,
      link: '/organization/members',
      subject: { kind: 'member', ident: id },
      assigned,
    });
  }
}

function ofException(news: Extract<News, { finding: object }>, until: string): [title: string, body: string] {
  const { title } = news.finding;
  switch (news.type) {
    case 'exception.requested':
      return [`A waiver for ${title} needs your decision`, `Requested until ${until}.`];
    case 'exception.decided':
      return news.approved
        ? [`Your waiver for ${title} was approved`, `Waived until ${until}.`]
        : [`Your waiver for ${title} was denied`, 'It still counts.'];
    case 'exception.expiring':
      return [`The waiver for ${title} expires soon`, `It counts again from ${until}.`];
    case 'exception.expired':
      return [`The waiver for ${title} expired`, `It was waived or requested until ${until} and counts again.`];
  }
}

function ofLeave(news: Extract<News, { leave: object }>, until: string) {
  const { id, control, subject } = news.leave;
  const about = `${subject} from ${control}`;
  const words = {
    'exception.requested': [`A waiver of ${about} needs your decision`, `Requested until ${until}.`],
    'exception.expiring': [`The waiver of ${about} expires soon`, `It counts again from ${until}.`],
    'exception.expired': [`The waiver of ${about} expired`, `It was approved or requested until ${until}.`],
    'exception.decided':
      news.type === 'exception.decided' && news.approved
        ? [`Your waiver of ${about} was approved`, `Valid until ${until}.`]
        : [`Your waiver of ${about} was denied`, 'It still counts.'],
  } as const;
  const [title, body] = words[news.type];
  const views = { 'exception.requested': 'open', 'exception.expiring': 'expiring' } as const;
  const view = news.type in views ? views[news.type as keyof typeof views] : 'decided';
  return {
    scope: `leave:${id}:${news.type}`,
    title,
    body: news.repository ? `${body} In ${news.repository.name}.` : body,
    link: view === 'open' ? '/exceptions' : `/exceptions?view=${view}`,
    subject: { kind: 'control', ident: control },
    repositoryId: news.repository?.id ?? null,
    authors: news.type === 'exception.requested' ? [] : [news.requestedBy],
  };
}

function ofInvitation(
  type: `invitation.${'declined' | 'expired' | 'failed'}`,
  email: string,
): [title: string, body: string] {
  switch (type) {
    case 'invitation.declined':
      return [`${email} declined the invitation`, ''];
    case 'invitation.expired':
      return [`The invitation of ${email} expired`, 'It expired without a response. You can send it again.'];
    case 'invitation.failed':
      return [
        `The invitation of ${email} could not be delivered`,
        'Sightline tries again. Check the address, or send it again.',
      ];
  }
}

const day = (at: string) => formatDay(new Date(at));

/** How many of each severity there are: '2 critical, 1 high'; empty for none. */
export const tallyWords = (tally: readonly number[]): string =>
  severities.flatMap((name, place) => (tally[place] ? [`${tally[place]} ${name}`] : [])).join(', ');
