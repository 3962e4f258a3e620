import type { RepositoryListItem } from '@sightline/contract/sources/repositories.ts';
import { SeverityCounts, SeverityHead } from '#ui/Severity.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { ImportState } from './ImportState.tsx';
import s from './Repositories.module.css';
import { RepositoryMenu } from './RepositoryMenu.tsx';
import { RepositoryName } from './RepositoryName.tsx';
import { ScannerStatus } from './ScannerStatus.tsx';

/**
 * The column header shows the severities as soon as a repository of the page was scanned. Until then, cards on narrow
 * screens, which have no header, omit them.
 */
export function repositoryColumns(rows: readonly RepositoryListItem[], manages: boolean): Column<RepositoryListItem>[] {
  const scanned = rows.some(({ severityCounts }) => severityCounts !== null);
  return [
    {
      key: 'name',
      header: 'Repository',
      sort: 'name',
      place: 'main',
      cell: (repository) => <RepositoryName repository={repository} />,
    },
    {
      key: 'scanner',
      header: 'Code scanner',
      width: 132,
      place: 'side',
      cell: ({ scannerStatus }) => <ScannerStatus status={scannerStatus} />,
    },
    {
      key: 'vulnerabilities',
      header: scanned ? <SeverityHead /> : 'Vulnerabilities',
      label: 'Vulnerabilities',
      ...(scanned && { sort: 'severity', firstDirection: 'desc' as const }),
      width: scanned ? 334 : 180,
      ...(scanned && { place: 'meta' as const }),
      cell: ({ severityCounts }) =>
        severityCounts ? (
          <SeverityCounts counts={severityCounts} />
        ) : (
          <span className={s.unscanned}>
            <span aria-hidden>–</span> Not configured
          </span>
        ),
    },
    {
      key: 'date',
      header: 'Last change',
      sort: 'date',
      firstDirection: 'desc',
      width: 256,
      place: scanned ? 'metaEnd' : 'meta',
      cell: (repository) => <LastChange repository={repository} manages={manages} />,
    },
    {
      key: 'menu',
      header: 'Actions',
      width: 56,
      place: 'menu',
      cell: (repository) => <RepositoryMenu repository={repository} />,
    },
  ];
}

// The newest commit is unknown during an import, so the cell shows the import progress.
function LastChange({ repository, manages }: { repository: RepositoryListItem; manages: boolean }) {
  if (repository.import !== null && repository.import.state !== 'done') {
    return <ImportState repository={repository} manages={manages} />;
  }
  return (
    <span className="dim">{repository.lastChange ? <TimeAgo at={repository.lastChange} /> : 'No commits yet'}</span>
  );
}
