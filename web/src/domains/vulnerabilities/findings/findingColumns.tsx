import { findingCategoryNames } from '@sightline/contract/core/finding-categories.ts';
import type { Finding } from '@sightline/contract/vulnerabilities/findings.ts';
import { useNow } from '#ui/Clock.tsx';
import { DueTime } from '#ui/DueTime.tsx';
import { daysText } from '#ui/dueText.ts';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { Person } from '#ui/Person.tsx';
import { Severity } from '#ui/Severity.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import { relativeDays } from '#ui/time.ts';
import type { Column } from '../../../ui/column.ts';
import { FindingMenu } from './FindingMenu.tsx';
import s from './Findings.module.css';
import { Labels, ticketName } from './findingParts.tsx';
import type { FindingQuery } from './findingsQuery.ts';
import { locationText } from './location-text.ts';
import { ToolMark } from './toolMarks.tsx';

/** The columns that are hidden until the user selects them. */
export const optionalFindingColumns = ['age', 'ticket', 'labels'];

/** `list` is the list with the rows. In the list of one repository, its name is omitted. */
export const findingColumns = (list: FindingQuery): Column<Finding>[] => [
  {
    key: 'severity',
    header: 'Severity',
    sort: 'severity',
    firstDirection: 'desc',
    width: 104,
    place: 'meta',
    cell: ({ severity }) => <Severity level={severity} />,
  },
  {
    key: 'name',
    header: 'Vulnerability',
    sort: 'name',
    place: 'main',
    cell: (finding) => <Title finding={finding} withRepository={list.from !== 'repository'} />,
  },
  {
    key: 'category',
    header: 'Category',
    width: 148,
    cell: ({ category }) => <p className="truncate">{findingCategoryNames[category]}</p>,
  },
  { key: 'source', header: 'Data Source', width: 128, cell: (finding) => <Source finding={finding} /> },
  {
    key: 'date',
    header: 'Date of discovery',
    sort: 'date',
    firstDirection: 'desc',
    width: 136,
    place: 'metaEnd',
    cell: ({ discoverDate }) => (
      <span className="dim">
        <TimeAgo at={discoverDate} />
      </span>
    ),
  },
  { key: 'age', header: 'Age', width: 92, cell: ({ discoverDate }) => <Age since={discoverDate} /> },
  {
    key: 'due',
    header: 'Time remaining',
    width: 136,
    cell: ({ dueAt }) => (dueAt === null ? <span className="dim">No limit</span> : <DueTime at={dueAt} />),
  },
  {
    key: 'assignee',
    header: 'Assignee',
    width: 148,
    cell: ({ assignee }) =>
      assignee === null ? (
        <span className="dim">Unassigned</span>
      ) : (
        <Person name={assignee.name} id={assignee.id} picture={assignee.picture ?? undefined} />
      ),
  },
  {
    key: 'ticket',
    header: 'Ticket',
    width: 120,
    cell: ({ ticketUrl }) =>
      ticketUrl !== null && <ExternalLink href={ticketUrl}>{ticketName(ticketUrl)}</ExternalLink>,
  },
  { key: 'labels', header: 'Labels', width: 160, cell: ({ labels }) => <Labels labels={labels} /> },
  ...(list.ledgerSize === undefined
    ? [
        {
          key: 'menu',
          header: 'Actions',
          width: 56,
          place: 'menu' as const,
          cell: (finding: Finding) => <FindingMenu finding={finding} list={list} />,
        },
      ]
    : []),
];

function Age({ since }: { since: string }) {
  return <span className="num">{daysText(Math.max(0, Math.floor((useNow() - Date.parse(since)) / 86_400_000)))}</span>;
}

function Title({ finding, withRepository }: { finding: Finding; withRepository: boolean }) {
  const { title, unread, discoverDate, codes, repository, coordinate } = finding;
  const isNew = useNow() - Date.parse(discoverDate) < relativeDays * 86_400_000;
  return (
    <span className={s.title}>
      <span className={s.name} data-unread={unread || undefined}>
        <b className={s.words} title={title}>
          {title}
        </b>
        {unread && (isNew ? <span className={s.new}>New</span> : <span className="vh">unread</span>)}
      </span>
      <span className={s.where}>
        {codes[0] && <code className={s.code}>{codes[0].id}</code>}
        {withRepository && <span className={s.repository}>{repository.fullName}</span>}
        {coordinate && <Place place={locationText(coordinate)} />}
      </span>
    </span>
  );
}

/** The end of a path is the most specific part, so a long path is truncated at the start. */
const Place = ({ place }: { place: string }) => (
  <code className={s.path} title={place}>
    <bdi>{place}</bdi>
  </code>
);

function Source({ finding: { tools, dataSource } }: { finding: Finding }) {
  const first = tools.find(({ id }) => id === dataSource) ?? tools[0];
  const others = tools.filter((tool) => tool !== first);
  return (
    <span className={s.source}>
      <ToolMark tool={first?.id ?? dataSource} />
      <span className="truncate">{first?.name ?? dataSource}</span>
      {others.length > 0 && (
        <span className="dim" title={others.map(({ name }) => name).join(', ')}>
          +{others.length}
          <span className="vh"> more: {others.map(({ name }) => name).join(', ')}</span>
        </span>
      )}
    </span>
  );
}
