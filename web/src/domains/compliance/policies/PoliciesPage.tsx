import { Button } from '@mantine/core';
import { getPoliciesStatus, listPolicies, policyKinds, policyMode } from '@sightline/contract/compliance/policies.ts';
import { getOrganization } from '@sightline/contract/organization/organizations.ts';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { useAsOf } from '#lib/as-of.ts';
import { docsHref } from '#lib/docs.ts';
import { usePagedList } from '#lib/paged-list.ts';
import { stringifySearch } from '#lib/search-params.ts';
import { hasPermission, useSession } from '#lib/session.ts';
import { patchSearch } from '#lib/url-query.ts';
import { AsOfBanner } from '#ui/AsOfBanner.tsx';
import { AsOfButton } from '#ui/AsOfButton.tsx';
import { Empty } from '#ui/Empty.tsx';
import { Filters } from '#ui/Filters.tsx';
import { Link } from '#ui/Link.tsx';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { PageHeader } from '#ui/PageHeader.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { ListTable } from '../../timeline/views/ListTable.tsx';
import { WaiversLink } from '../../vulnerabilities/waivers/WaiversLink.tsx';
import { PolicyChangesLink } from './PolicyChangesLink.tsx';
import { PolicyTemplates } from './PolicyTemplates.tsx';
import { policyColumns } from './policyColumns.tsx';
import { policiesPath, policyHref, policyKindTexts, policyModeTexts } from './policyLabels.ts';

/** Lists the policies for changes, tools and members, with the compliance of each. */
export function PoliciesPage() {
  const list = usePagedList(listPolicies, { view: ['state'] });
  const status = useQuery({ ...endpointQuery(getPoliciesStatus, {}), meta: { quiet: true } }).data;
  const archived = useQuery({ ...endpointQuery(getOrganization, {}), meta: { quiet: true } }).data?.archivedAt != null;
  const writes = hasPermission(useSession(), 'write:policies') && !archived;
  const { query, setQuery } = list;
  const isActiveView = query.state === 'held';
  const isCurrent = query.ledgerSize === undefined;
  const asOf = useAsOf(query.ledgerSize, (ledgerSize) => setQuery({ ledgerSize }));
  const hrefOf = (state: typeof query.state) =>
    `${policiesPath}${stringifySearch(patchSearch(listPolicies.query, {}, { state, ledgerSize: query.ledgerSize }))}`;
  return (
    <>
      <PageHeader
        title="Policies"
        help={{ href: docsHref('policies'), about: 'policies' }}
        note="A policy sets the parameters of controls from the moment it is saved. Earlier activity is evaluated by the earlier parameters."
        actions={
          <>
            <AsOfButton asOf={asOf} />
            <PolicyChangesLink />
            <WaiversLink />
            {writes && isCurrent && !list.isEmptyUnfiltered && (
              <Button component={Link} href={`${policiesPath}/new`} leftSection={<IconPlus size={15} aria-hidden />}>
                New policy
              </Button>
            )}
          </>
        }
      />
      <AsOfBanner asOf={asOf}>Names of authors and repositories are those of today.</AsOfBanner>
      <LinkTabs
        label="Policies"
        tabs={[
          {
            label: 'Active',
            href: hrefOf('held'),
            count: isActiveView && !list.isFiltered && list.rows ? list.total : undefined,
          },
          { label: 'Archived', href: hrefOf('ended') },
        ]}
        current={hrefOf(query.state)}
      />
      {!list.isEmptyUnfiltered && !list.failure && (
        <Filters>
          <SearchBox label="Search policies" value={query.search} onChange={(search) => setQuery({ search })} />
          <MultiSelect
            name="Kind"
            options={policyKinds.map((value) => ({ value, label: policyKindTexts[value][0] }))}
            values={query.kinds}
            onChange={(kinds) => setQuery({ kinds: kinds as typeof query.kinds })}
            emptyText="No kinds available"
          />
          <MultiSelect
            name="Mode"
            options={policyMode.options.map((value) => ({ value, label: policyModeTexts[value][1] }))}
            values={query.modes}
            onChange={(modes) => setQuery({ modes: modes as typeof query.modes })}
            emptyText="No modes available"
          />
        </Filters>
      )}
      {list.isEmptyUnfiltered && isActiveView && isCurrent && !list.failure ? (
        <PolicyTemplates writes={writes} />
      ) : (
        <ListTable
          views="policies"
          list={list}
          label={isActiveView ? 'Active policies' : 'Archived policies'}
          noun="policies"
          tall
          columns={policyColumns(isActiveView && isCurrent ? status : undefined)}
          rowKey={({ id }) => id}
          rowHref={policyHref}
          empty={
            <Empty kind="nothing-yet" title={isActiveView ? 'No active policies' : 'No archived policies'}>
              {isCurrent
                ? 'Archived policies appear here with all versions and can be restored.'
                : 'The ledger had recorded none at this size.'}
            </Empty>
          }
          noMatch="No policy matches"
          filters={[
            ...query.kinds.map((kind) => `Kind: ${policyKindTexts[kind][0]}`),
            ...query.modes.map((mode) => `Mode: ${policyModeTexts[mode][1]}`),
          ]}
        />
      )}
    </>
  );
}
