import { Menu } from '@mantine/core';
import {
  failureKinds,
  type InstallationFailure,
  listInstallationFailures,
  retryInstallationFailure,
} from '@sightline/contract/platform/operator.ts';
import { IconChecks, IconRefresh } from '@tabler/icons-react';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { announce } from '#ui/announce.ts';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PagedTable } from '#ui/PagedTable.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import type { Column } from '../../../ui/column.ts';
import { failureKindLabels } from './jobStates.ts';
import s from './Operator.module.css';
import { OperatorPage, operatorPaths, REFETCH_MS } from './OperatorPage.tsx';

const failureColumns = (onRetry: (failure: InstallationFailure) => void): readonly Column<InstallationFailure>[] => [
  {
    key: 'kind',
    header: 'Work',
    width: 250,
    place: 'main',
    cell: ({ kind, item, organization }) => (
      <span className={s.two}>
        <span>
          {failureKindLabels[kind]} <span className="mono dim">{item}</span>
        </span>
        <span className="dim">{organization?.name ?? 'Deleted organization'}</span>
      </span>
    ),
  },
  {
    key: 'cause',
    header: 'Last error',
    place: 'meta',
    cell: ({ cause }) => <span className={s.cause}>{cause ?? 'Unknown'}</span>,
  },
  {
    key: 'id',
    header: 'ID',
    width: 190,
    cell: ({ id }) => <span className="mono truncate">{id}</span>,
  },
  { key: 'attempts', header: 'Attempts', width: 100, cell: ({ attempts }) => <span className="num">{attempts}</span> },
  {
    key: 'failed',
    header: 'Failed',
    sort: 'date',
    firstDirection: 'desc',
    width: 130,
    place: 'metaEnd',
    cell: ({ failedAt }) => <TimeAgo at={failedAt} />,
  },
  {
    key: 'next',
    header: 'Next attempt',
    width: 140,
    place: 'side',
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt === null ? <span className="dim">None</span> : <TimeAgo at={nextAttemptAt} />,
  },
  {
    key: 'menu',
    header: <span className="vh">Actions</span>,
    width: 52,
    place: 'menu',
    // The work of a deleted organization cannot be retried.
    cell: (failure) =>
      failure.organization && (
        <RowMenu label={`Actions for ${failureKindLabels[failure.kind]} ${failure.item}`}>
          <Menu.Item leftSection={<IconRefresh size={15} aria-hidden />} onClick={() => onRetry(failure)}>
            Retry now
          </Menu.Item>
        </RowMenu>
      ),
  },
];

/** Lists imports and deliveries of all organizations whose last attempt failed. */
export function FailuresPage() {
  const list = usePagedList(listInstallationFailures, { refetchMs: REFETCH_MS });
  const { query, setQuery } = list;
  const retry = useChange(
    ({ kind, id, organization }: InstallationFailure) =>
      call(retryInstallationFailure, { params: { organizationId: organization?.id ?? '', kind, failureId: id } }),
    () => announce('The retry has started.'),
  );
  return (
    <OperatorPage current={operatorPaths.failures} failure={list.failure}>
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters>
          <SearchBox label="Search by ID or event" value={query.search} onChange={(search) => setQuery({ search })} />
          <MultiSelect
            name="Work"
            options={failureKinds.map((value) => ({ value, label: failureKindLabels[value] }))}
            values={query.kind}
            onChange={(kind) => setQuery({ kind: kind as typeof query.kind })}
            emptyText="No kinds available"
          />
        </Filters>
      )}
      <PagedTable
        list={list}
        label="Failed imports and deliveries"
        noun="failed imports and deliveries"
        tall
        columns={failureColumns(retry.mutate)}
        rowKey={({ kind, id }) => `${kind} ${id}`}
        empty={
          <Empty
            kind="nothing-yet"
            title="No failed imports or deliveries"
            icon={<IconChecks size={19} stroke={1.6} />}
          >
            Imports and deliveries whose last attempt failed appear here with the reason.
          </Empty>
        }
        noMatch="No import or delivery matches"
        filters={query.kind.map((kind) => `Work: ${failureKindLabels[kind]}`)}
      />
    </OperatorPage>
  );
}
