import { listTools, toolTabs } from '@sightline/contract/tools/tools.ts';
import { useQuery } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { fetchAllPages } from '#lib/repository-choices.ts';
import type { Option } from '#ui/MultiSelect.tsx';

/** Returns every tool of the inventory as an option. */
export function useToolChoices(): readonly Option[] {
  const toolsQuery = useQuery({
    queryKey: [...keyOf(listTools), 'all'],
    queryFn: async () => {
      const tabs = toolTabs.map((tab) =>
        fetchAllPages((page) => call(listTools, { body: { tab, page, perPage: 100, sort: 'name-asc' } })),
      );
      const rows = (await Promise.all(tabs)).flat();
      return rows.map(({ id, name }) => ({ value: id, label: name }));
    },
  });
  return toolsQuery.data ?? [];
}
