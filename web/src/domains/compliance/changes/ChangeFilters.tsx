import { type ChangesQuery, changeApproval, mergeMethods } from '@sightline/contract/compliance/changes.ts';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { SinceFilter } from '#ui/SinceFilter.tsx';
import { approvalBadges, mergeMethodLabels } from './changeLabels.ts';

interface ChangeFiltersProps {
  query: ChangesQuery;
  setQuery: (patch: Partial<ChangesQuery>) => void;
}

/** Filters by title or repository, merge method, approval, and further conditions. */
export const ChangeFilters = ({ query, setQuery }: ChangeFiltersProps) => (
  <Filters>
    <SearchBox label="Search changes" value={query.search} onChange={(search) => setQuery({ search })} />
    <MultiSelect
      name="Approval"
      options={changeApproval.options.map((value) => ({ value, label: approvalBadges[value][1] }))}
      values={query.approval}
      onChange={(values) => setQuery({ approval: changeApproval.options.filter((one) => values.includes(one)) })}
      emptyText="No approvals available"
    />
    <MultiSelect
      name="Merge method"
      options={mergeMethods.map((value) => ({ value, label: mergeMethodLabels[value] }))}
      values={query.mergeMethod}
      onChange={(values) => setQuery({ mergeMethod: mergeMethods.filter((one) => values.includes(one)) })}
      emptyText="No merge methods available"
    />
    <MultiSelect
      name="More filters"
      options={[
        { value: 'agent', label: 'Written by agents' },
        { value: 'missing', label: 'Incomplete record' },
      ]}
      values={query.only}
      onChange={(values) => setQuery({ only: (['agent', 'missing'] as const).filter((one) => values.includes(one)) })}
      emptyText="No more filters available"
    />
    <SinceFilter name="Merged" since={query.from} onRemove={() => setQuery({ from: undefined })} />
  </Filters>
);
