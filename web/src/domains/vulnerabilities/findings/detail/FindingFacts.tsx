import { findingCategoryNames } from '@sightline/contract/core/finding-categories.ts';
import { getRepositoryById } from '@sightline/contract/sources/repositories.ts';
import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { endpointQuery } from '#lib/api.ts';
import { repositoryHref } from '#lib/repository-href.ts';
import { attributionTexts } from '#ui/attributionTexts.ts';
import { DueTime } from '#ui/DueTime.tsx';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Facts } from '#ui/Facts.tsx';
import { Link } from '#ui/Link.tsx';
import { linkedTicketText } from '#ui/linked-ticket.ts';
import { Person } from '#ui/Person.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { ProviderIcon } from '#ui/ProviderIcon.tsx';
import { Severity } from '#ui/Severity.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { absoluteTime } from '#ui/time.ts';
import { Labels, ticketName } from '../findingParts.tsx';
import { ToolMark } from '../toolMarks.tsx';
import { shortRef } from './AffectedBranches.tsx';
import { FindingCompliance } from './FindingCompliance.tsx';
import s from './FindingFacts.module.css';

/** Shows all single values and short lists of a finding. Empty ones are omitted. */
export function FindingFacts({ finding }: { finding: FindingDetail }) {
  const { severity, ref, category, codes, discoverDate, tools, compliances, references } = finding;
  const facts: [string, ReactNode][] = [
    ['Severity', <Severity key="severity" level={severity} />],
    ['Repository', <Repository key="repository" repository={finding.repository} />],
    ['Time remaining', finding.dueAt && <DueTime key="due" at={finding.dueAt} />],
    ['Assignee', finding.assignee && <Assignee key="assignee" of={finding.assignee} />],
    [
      'Ticket',
      finding.ticketUrl && (
        <ExternalLink key="ticket" href={finding.ticketUrl}>
          {ticketName(finding.ticketUrl)}
        </ExternalLink>
      ),
    ],
    ['Ticket status', finding.ticket && linkedTicketText(finding.ticket)],
    ['Labels', finding.labels.length > 0 && <Labels key="labels" labels={finding.labels} />],
    ['Ref', <Ref key="ref" name={ref.ref} />],
    ['Category', findingCategoryNames[category]],
    ['Package', finding.package && <Package key="package" of={finding.package} />],
    ['CVSS', finding.assessment?.cvss && <Cvss key="cvss" of={finding.assessment.cvss} />],
    ['Confidence', finding.assessment?.confidence],
    ['Language', finding.assessment?.language],
    ['State in the scanner', finding.assessment?.state && stateText(finding.assessment.state)],
    ['Notes in the scanner', finding.assessment?.notes && <p className={s.notes}>{finding.assessment.notes}</p>],
    ['Codes', codes.length > 0 && <Codes key="codes" codes={codes} />],
    ['Discovered', <DateCell key="discovered" at={discoverDate} />],
    [
      'Introduced by',
      finding.introducedBy && <Introduced key="introduced" by={finding.introducedBy} agents={finding.introducedWith} />,
    ],
    ['Tools', <Tools key="tools" tools={tools} />],
    ['Compliances', compliances.length > 0 && <FindingCompliance key="compliances" compliances={compliances} />],
    ['References', references.length > 0 && <References key="references" references={references} />],
  ];
  return <Facts items={facts.filter(([, value]) => value)} />;
}

const Assignee = ({ of: { id, name, picture } }: { of: NonNullable<FindingDetail['assignee']> }) => (
  <Person name={name} id={id} picture={picture ?? undefined} />
);

const Ref = ({ name }: { name: string }) => <code className={s.ref}>{shortRef(name)}</code>;

function Repository({ repository }: { repository: FindingDetail['repository'] }) {
  // Fetched for the lock icon only. Without a response, the name appears without it.
  const known = useQuery({
    ...endpointQuery(getRepositoryById, { params: { repositoryId: repository.id } }),
    meta: { quiet: true },
  }).data;
  return (
    <span className={s.inline}>
      <ProviderIcon provider={repository.provider} size={14} labelled />
      <Link className="link" href={repositoryHref(repository, 'vulnerabilities')}>
        {repository.fullName}
      </Link>
      {known?.isPrivate && <IconLock size={13} className="dim" role="img" aria-label="Private" />}
    </span>
  );
}

const Package = ({ of: { name, version, fixedIn } }: { of: NonNullable<FindingDetail['package']> }) => (
  <>
    <code>
      {name}
      {version && ` ${version}`}
    </code>
    <span className={s.sub}>{fixedIn ? `Fixed in ${fixedIn}` : 'No fixed version available'}</span>
  </>
);

const Cvss = ({ of: { score, vector } }: { of: NonNullable<NonNullable<FindingDetail['assessment']>['cvss']> }) => (
  <>
    {score.toFixed(1)}
    {vector !== null && <code className={s.sub}>{vector}</code>}
  </>
);

/** Formats `PROPOSED_NOT_EXPLOITABLE` as words. */
const stateText = (state: string) => {
  const words = state.replaceAll('_', ' ').toLowerCase();
  return `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`;
};

const Codes = ({ codes }: Pick<FindingDetail, 'codes'>) => (
  <ul className={s.list}>
    {codes.map(({ id, url }) => (
      <li key={id}>
        <ExternalLink href={url}>{id}</ExternalLink>
      </li>
    ))}
  </ul>
);

const DateCell = ({ at }: { at: string }) => (
  <>
    <TimeAgo at={at} />
    <span className={s.sub}>{absoluteTime(Date.parse(at))}</span>
  </>
);

/** The labels of the confidence. */
const confidenceTexts = { declared: 'declared', observed: 'seen', inferred: 'concluded' } as const;

const texts = {
  lines: 'authored these lines',
  file: 'authored changes in this file',
  commit: 'authored parts of the commit',
} as const;

interface IntroducedProps {
  by: NonNullable<FindingDetail['introducedBy']>;
  agents: FindingDetail['introducedWith'];
}

const Introduced = ({ by, agents }: IntroducedProps) => (
  <>
    <b className={s.strong}>
      <PersonName person={by.actor} />
    </b>
    {by.agent !== null && ` with ${by.agent}`} in <code>{by.commit.slice(0, 7)}</code>
    {by.pullRequest !== null && `, #${by.pullRequest}`}, <TimeAgo at={by.at} />
    <span className={s.sub}>
      {by.reason} <span className={s.sure}>{confidenceTexts[by.confidence]}</span>
    </span>
    {agents.map((item) => (
      <span key={JSON.stringify(item)} className={s.sub}>
        {item.agent}
        {item.model !== null && ` (${item.model})`} {texts[item.about]}, reported {attributionTexts[item.source]}{' '}
        <span className={s.sure}>{confidenceTexts[item.confidence]}</span>
      </span>
    ))}
  </>
);

const Tools = ({ tools }: Pick<FindingDetail, 'tools'>) => (
  <ul className={s.list}>
    {tools.map(({ id, name }) => (
      <li key={id} className={s.inline}>
        <ToolMark tool={id} />
        {name}
      </li>
    ))}
  </ul>
);

const References = ({ references }: Pick<FindingDetail, 'references'>) => (
  <ul className={s.list}>
    {references.map(({ title, url }) => (
      <li key={url}>
        <ExternalLink href={url}>{title}</ExternalLink>
      </li>
    ))}
  </ul>
);
