import { listTools, toolTabs } from '@sightline/contract/tools/tools.ts';
import { useQuery } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import { everyPage } from '#lib/repository-choices.ts';
import type { Option } from '#ui/MultiSelect.tsx';

/** Every tool of the inventory. */
export function useToolChoices(): readonly Option[] {
  const asked = useQuery({
    queryKey: [...keyOf(listTools), 'all'],
    queryFn: async () => {
      const tabs = toolTabs.map((tab) =>
        everyPage((page) => call(listTools, { body: { tab, page, perPage: 100, sort: 'name-asc' } })),
      );
      const rows = (await Promise.all(tabs)).flat();
      return rows.map(({ id, name }) => ({ value: id, label: name }));
    },
  });
  return asked.data ?? [];
}
