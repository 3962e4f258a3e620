import { Button, TextInput } from '@mantine/core';
import {
  duties,
  getHostAccessStatus,
  type HostAccessItem,
  type HostAccessQuery,
  type HostAccessStatus,
  listHostAccess,
} from '@sightline/contract/compliance/host-access.ts';
import {
  holderKindNames,
  holderKinds,
  hostPermissionNames,
  hostPermissions,
} from '@sightline/contract/sources/host-access.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { Banner } from '#ui/Banner.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Link } from '#ui/Link.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ValueFilter } from '#ui/ValueFilter.tsx';
import type { Column } from '../../../ui/column.ts';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { accessPartNames, dutyNames } from './accessLabels.ts';

const home = '/evidence/host-access';
const dutiesHref = `${home}/duties`;

interface AccessListProps {
  tab: 'access' | 'duties';
  note: string;
  columns: Column<HostAccessItem>[];
}

/** Lists the access to repositories on their code hosts as of a day, with columns of one tab. */
export function AccessList({ tab, note, columns }: AccessListProps) {
  const list = usePagedList(listHostAccess);
  const { query, setQuery } = list;
  return (
    <>
      <PageHeader
        title="Access on code hosts"
        back={{ label: 'Access reviews', href: '/evidence/access-reviews' }}
        help={{ href: docsHref('evidence', 'access-on-code-hosts'), about: 'access on code hosts' }}
        note={note}
      />
      <LinkTabs
        label="Access on code hosts"
        current={tab === 'access' ? home : dutiesHref}
        tabs={[
          { label: 'Access', href: home },
          { label: 'Segregation of duties', href: dutiesHref },
        ]}
      />
      <Incomplete at={query.at} />
      {!list.isEmptyUnfiltered && <AccessFilters query={query} setQuery={setQuery} />}
      <ListTable
        views="host-access"
        tall
        list={list}
        label="Access on code hosts"
        noun="permissions"
        columns={columns}
        rowKey={({ holder, repository }) => `${holder.id} ${repository.id}`}
        filters={[
          ...query.kind.map((kind) => `Kind: ${holderKindNames[kind]}`),
          ...query.permission.map((permission) => `Permission: ${hostPermissionNames[permission]}`),
          ...query.duty.map((duty) => `Can ${dutyNames[duty].toLowerCase()}`),
          ...(query.member === undefined ? [] : [query.member === 'yes' ? 'Members' : 'Not members']),
        ]}
        empty={
          <Empty
            kind="nothing-yet"
            title="No access recorded"
            action={
              <Button component={Link} href="/integrations/source-code-management" variant="default">
                Integrations
              </Button>
            }
          >
            Who and what has access to enabled repositories is read every few hours. On GitHub, the app needs the
            permissions Members (read) and Administration (read).
          </Empty>
        }
        noMatch="No access matches"
      />
    </>
  );
}

interface AccessFiltersProps {
  query: HostAccessQuery;
  setQuery: (patch: Partial<HostAccessQuery>) => void;
}

const AccessFilters = ({ query, setQuery }: AccessFiltersProps) => (
  <Filters>
    <SearchBox
      label="Search by name or repository"
      value={query.search}
      onChange={(search) => setQuery({ search })}
      width={260}
    />
    <TextInput
      type="date"
      aria-label="At the end of the day (UTC)"
      leftSection="As of"
      leftSectionWidth={56}
      w={196}
      value={query.at?.slice(0, 10) ?? ''}
      onChange={({ currentTarget: { value } }) => setQuery({ at: value === '' ? undefined : `${value}T23:59:59.999Z` })}
    />
    <MultiSelect
      name="Kind"
      options={holderKinds.map((value) => ({ value, label: holderKindNames[value] }))}
      values={query.kind}
      onChange={(values) => setQuery({ kind: holderKinds.filter((kind) => values.includes(kind)) })}
      emptyText="No kinds"
    />
    <MultiSelect
      name="Permission"
      options={hostPermissions.map((value) => ({ value, label: hostPermissionNames[value] }))}
      values={query.permission}
      onChange={(values) => setQuery({ permission: hostPermissions.filter((one) => values.includes(one)) })}
      emptyText="No permissions"
    />
    <MultiSelect
      name="Duties"
      options={duties.map((value) => ({ value, label: dutyNames[value] }))}
      values={query.duty}
      onChange={(values) => setQuery({ duty: duties.filter((one) => values.includes(one)) })}
      emptyText="No duties"
    />
    <MultiSelect
      name="Membership"
      options={[
        { value: 'yes', label: 'Active members' },
        { value: 'no', label: 'Others' },
      ]}
      values={query.member === undefined ? [] : [query.member]}
      onChange={(values) => {
        const [other] = (['yes', 'no'] as const).filter((one) => values.includes(one) && one !== query.member);
        setQuery({ member: other ?? (values.length === 0 ? undefined : query.member) });
      }}
      emptyText="No memberships"
    />
    <ValueFilter
      name="Repository"
      values={query.repository === undefined ? [] : [query.repository]}
      onRemove={() => setQuery({ repository: undefined })}
    />
  </Filters>
);

/** Says of which repositories the list may be incomplete. Absent access is not shown as no access. */
function Incomplete({ at }: { at: string | undefined }) {
  const { data } = useQuery({
    ...endpointQuery(getHostAccessStatus, { query: at === undefined ? {} : { at } }),
    meta: { quiet: true },
  });
  if (!data || data.incomplete === 0) return null;
  return (
    <Banner tone="warning" details={data.examples.map(detailOf).join(' ')}>
      {data.incomplete === 1
        ? 'The access to one enabled repository is not completely known.'
        : `The access to ${data.incomplete} of ${data.repositories} enabled repositories is not completely known.`}
    </Banner>
  );
}

function detailOf({ fullName, readAt, isTooOld, missing }: HostAccessStatus['examples'][number]): string {
  if (readAt === null) return `${fullName}: not read yet.`;
  if (isTooOld) return `${fullName}: the last reading is too old.`;
  return `${fullName}: the code host denied ${missing.map((part) => accessPartNames[part]).join(', ')}.`;
}
