import type { Contributor } from '@sightline/contract/sources/contributors.ts';
import { exploreHref } from '#lib/explore-href.ts';
import { ExtensionStatusCell } from '#ui/ExtensionStatus.tsx';
import { Person } from '#ui/Person.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { ExploreEvents } from './ExploreEvents.tsx';

export const contributorColumns: readonly Column<Contributor>[] = [
  {
    key: 'name',
    header: 'Name',
    sort: 'name',
    place: 'main',
    cell: ({ name, email, picture, merged }) => (
      <Person
        name={name}
        detail={[email, ...merged.map((one) => `${one.email} (${mergeSources[one.source]})`)].join(', ')}
        picture={picture ?? undefined}
      />
    ),
  },
  {
    key: 'connectivity',
    header: 'Connectivity',
    width: 280,
    place: 'meta',
    cell: ({ browser_status, ide_status, ...contributor }) =>
      browser_status === null || ide_status === null ? (
        <span className="dim">Not shown to your role</span>
      ) : (
        <ExtensionStatusCell status={{ ...contributor, browser_status, ide_status }} />
      ),
  },
  {
    key: 'login',
    header: 'Git username',
    width: 184,
    cell: ({ githubName }) =>
      githubName === null ? <span className="dim">Unknown</span> : <span className="truncate">{githubName}</span>,
  },
  {
    key: 'commits',
    header: 'Commits',
    width: 104,
    cell: ({ commits }) => <span className="num">{number.format(commits)}</span>,
  },
  {
    key: 'last',
    header: 'Last commit',
    sort: 'date',
    firstDirection: 'desc',
    width: 148,
    place: 'metaEnd',
    cell: ({ lastCommit }) => (
      <span className="dim">
        <TimeAgo at={lastCommit} />
      </span>
    ),
  },
  {
    key: 'events',
    header: 'Events',
    width: 144,
    place: 'menu',
    cell: ({ name, email, githubName }) => <ExploreEvents href={exploreHref('actor', githubName ?? email)} of={name} />,
  },
];

const number = new Intl.NumberFormat('en-GB');

const mergeSources = { mailmap: 'by .mailmap', owner: 'merged' } as const;
