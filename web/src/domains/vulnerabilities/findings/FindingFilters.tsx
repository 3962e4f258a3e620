import { Button } from '@mantine/core';
import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';
import type { Severity } from '@sightline/contract/core/severities.ts';
import type { FindingStatus, FindingsQuery } from '@sightline/contract/vulnerabilities/findings.ts';
import type { ReactNode } from 'react';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { SearchBox } from '#ui/SearchBox.tsx';
import { LevelGlyph } from '#ui/Severity.tsx';
import { SinceFilter } from '#ui/SinceFilter.tsx';
import { severityLevels } from '#ui/severities.ts';
import { ValueFilter } from '#ui/ValueFilter.tsx';
import s from './Findings.module.css';
import { moreFilters } from './findingsQuery.ts';
import type { useFilterChoices } from './useFilterChoices.ts';

interface FindingFiltersProps {
  query: FindingsQuery;
  setQuery: (patch: Partial<FindingsQuery>) => void;
  choices: ReturnType<typeof useFilterChoices>;
  /** False in the list of one repository. */
  withRepositories: boolean;
  isFiltered: boolean;
  onClear: () => void;
  /** Controls of the view at the end of the row. */
  children: ReactNode;
}

export const FindingFilters = ({
  query,
  setQuery,
  choices,
  withRepositories,
  isFiltered,
  onClear,
  children,
}: FindingFiltersProps) => (
  <Filters>
    <SearchBox label="Search by name" width={240} value={query.search} onChange={(search) => setQuery({ search })} />
    <div className={s.filters}>
      <MultiSelect
        name="Severity"
        options={choices.severities.map((choice) => ({ ...choice, icon: glyphOf(choice.value) }))}
        values={query.severity}
        onChange={(severity) => setQuery({ severity: severity as Severity[] })}
        emptyText="No severities available"
      />
      <MultiSelect
        name="Category"
        options={choices.categories}
        values={query.category}
        onChange={(category) => setQuery({ category: category as FindingCategory[] })}
        emptyText="No categories available"
      />
      <MultiSelect
        name="Data Source"
        options={choices.dataSources}
        values={query.dataSource}
        onChange={(dataSource) => setQuery({ dataSource })}
        emptyText="No scanners available"
      />
      {withRepositories && (
        <MultiSelect
          name="Repository"
          options={choices.repositories}
          values={query.repository}
          onChange={(repository) => setQuery({ repository })}
          emptyText="No repositories available"
        />
      )}
      <MultiSelect
        name="Status"
        options={choices.statuses}
        values={query.status}
        onChange={(status) => setQuery({ status: status as FindingStatus[] })}
        emptyText="No statuses available"
      />
      <MultiSelect
        name="Assignee"
        options={choices.assignees}
        values={query.assignee}
        onChange={(assignee) => setQuery({ assignee })}
        emptyText="No assignees available"
      />
      <MultiSelect
        name="Label"
        options={choices.labels}
        values={query.label}
        onChange={(label) => setQuery({ label })}
        emptyText="No labels available"
      />
      <ValueFilter name="Rule" values={query.rule} onRemove={() => setQuery({ rule: [] })} />
      <ValueFilter name="Component" values={query.component} onRemove={() => setQuery({ component: [] })} named />
      <MultiSelect
        name="More filters"
        options={moreFilters.filter(({ value }) => query.ledgerSize === undefined || value !== 'introducedBy')}
        values={moreFilters.map(({ value }) => value).filter((value) => query[value] !== undefined)}
        onChange={(values) =>
          setQuery({
            overdue: values.includes('overdue') ? 'true' : undefined,
            introducedBy: values.includes('introducedBy') ? 'me' : undefined,
          })
        }
        emptyText="No filters available"
      />
      <SinceFilter
        name="Discovered"
        since={query.discoveredFrom}
        onRemove={() => setQuery({ discoveredFrom: undefined })}
      />
      <SinceFilter name="Fixed" since={query.fixedFrom} onRemove={() => setQuery({ fixedFrom: undefined })} />
      {isFiltered && (
        <Button variant="subtle" onClick={onClear}>
          Clear filters
        </Button>
      )}
      {children}
    </div>
  </Filters>
);

const glyphOf = (value: string) => {
  const level = severityLevels.find((one) => one === value);
  return level && <LevelGlyph level={level} />;
};
