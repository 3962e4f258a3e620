import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import type { ScannerProject } from '@sightline/contract/sources/integrations.ts';
import { RowName, RowTitle } from '#ui/RowTitle.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../../ui/column.ts';
import { ProjectRepositorySelect } from './ProjectRepositorySelect.tsx';
import type { RepositoryOption } from './useRepositoryOptions.ts';

export const projectColumns = (
  scanner: ScannerName,
  repositories: readonly RepositoryOption[] | undefined,
): Column<ScannerProject>[] => [
  {
    key: 'name',
    header: 'Project',
    sort: 'name',
    place: 'main',
    cell: ({ name, repoUrl }) => (
      <RowTitle glyph={null} meta={repoUrl ?? 'No URL'}>
        <RowName>{name}</RowName>
      </RowTitle>
    ),
  },
  {
    key: 'repository',
    header: 'Repository',
    width: 336,
    place: 'meta',
    cell: (project) => <ProjectRepositorySelect scanner={scanner} project={project} repositories={repositories} />,
  },
  {
    key: 'matched',
    header: 'Matched',
    sort: 'matched',
    width: 148,
    place: 'side',
    cell: (project) => <Matched project={project} />,
  },
  {
    key: 'scan',
    header: 'Last scan',
    width: 148,
    place: 'metaEnd',
    cell: ({ lastScanAt }) => <span className="dim">{lastScanAt ? <TimeAgo at={lastScanAt} /> : 'Not imported'}</span>,
  },
];

const matchTexts = { url: 'By URL', name: 'By name', manual: 'Manually' };

function Matched({ project: { repository, matchedBy } }: { project: ScannerProject }) {
  if (repository && matchedBy) return <StatusDot tone="green">{matchTexts[matchedBy]}</StatusDot>;
  if (matchedBy === 'manual') return <StatusDot tone="gray">Excluded</StatusDot>;
  return <StatusDot tone="yellow">Not matched</StatusDot>;
}
