import { Select } from '@mantine/core';
import {
  getReconciliationFilters,
  type ReconciledAgentsQuery,
  reconciliationStatuses,
} from '@sightline/contract/compliance/agent-reconciliation.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Filters } from '#ui/Filters.tsx';
import { MultiSelect } from '#ui/MultiSelect.tsx';
import { controlPeriodChoices, periodLabel } from '#ui/periods.ts';
import { reconciliationBadges } from '#ui/reconciliationTexts.ts';
import { SearchBox } from '#ui/SearchBox.tsx';

type FilterQuery = Pick<
  ReconciledAgentsQuery,
  'search' | 'status' | 'agent' | 'model' | 'person' | 'repository' | 'period'
>;

interface ReconciliationFiltersProps {
  searchLabel: string;
  query: FilterQuery;
  setQuery: (patch: Partial<FilterQuery>) => void;
}

const useOptions = () => useQuery({ ...endpointQuery(getReconciliationFilters, {}), meta: { quiet: true } }).data;
const optionsOf = (items: readonly { id: string; name: string }[] = []) =>
  items.map(({ id, name }) => ({ value: id, label: name }));
const named = (values: readonly string[] = []) => values.map((value) => ({ value, label: value }));

/** Filters by title, status, agent, model, person, repository and period of the merge. */
export function ReconciliationFilters({ searchLabel, query, setQuery }: ReconciliationFiltersProps) {
  const options = useOptions();
  return (
    <Filters>
      <SearchBox label={searchLabel} value={query.search} onChange={(search) => setQuery({ search })} />
      <MultiSelect
        name="Status"
        options={reconciliationStatuses.map((value) => ({ value, label: reconciliationBadges[value][1] }))}
        values={query.status}
        onChange={(values) => setQuery({ status: reconciliationStatuses.filter((one) => values.includes(one)) })}
        emptyText="No statuses available"
      />
      <MultiSelect
        name="Agent"
        options={named(options?.agents)}
        values={query.agent}
        onChange={(agent) => setQuery({ agent })}
        emptyText="No agents available"
      />
      <MultiSelect
        name="Model"
        options={named(options?.models)}
        values={query.model}
        onChange={(model) => setQuery({ model })}
        emptyText="No models available"
      />
      <MultiSelect
        name="Person"
        options={optionsOf(options?.people)}
        values={query.person}
        onChange={(person) => setQuery({ person })}
        emptyText="No people available"
      />
      <MultiSelect
        name="Repository"
        options={optionsOf(options?.repositories)}
        values={query.repository}
        onChange={(repository) => setQuery({ repository })}
        emptyText="No repositories available"
      />
      <Select
        aria-label="Period"
        placeholder="Any time"
        w={160}
        clearable
        data={controlPeriodChoices(new Date(), query.period ?? String(new Date().getUTCFullYear()))}
        value={query.period ?? null}
        onChange={(period) => setQuery({ period: period ?? undefined })}
      />
    </Filters>
  );
}

/** The filters in words, for a list without matches. */
export function useFilterTexts({ status, agent, model, person, repository, period }: FilterQuery): string[] {
  const options = useOptions();
  const labelsOf = (values: readonly string[], items: readonly { id: string; name: string }[] = []) =>
    values.map((value) => items.find(({ id }) => id === value)?.name ?? value).join(', ');
  return [
    ...status.map((one) => `Status: ${reconciliationBadges[one][1]}`),
    ...(agent.length > 0 ? [`Agent: ${agent.join(', ')}`] : []),
    ...(model.length > 0 ? [`Model: ${model.join(', ')}`] : []),
    ...(person.length > 0 ? [`Person: ${labelsOf(person, options?.people)}`] : []),
    ...(repository.length > 0 ? [`Repository: ${labelsOf(repository, options?.repositories)}`] : []),
    ...(period === undefined ? [] : [`Period: ${periodLabel(period)}`]),
  ];
}
