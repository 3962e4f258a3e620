import { listRepositories } from '@sightline/contract/repositories.ts';
import { listTools, toolTabs } from '@sightline/contract/tools.ts';
import { useQuery } from '@tanstack/react-query';
import { call, keyOf } from '#lib/api.ts';
import type { Option } from '#ui/MultiSelect.tsx';

const perPage = 100;
/** Lists that are longer than this many pages are cut: nobody chooses from thousands by looking. */
const mostPages = 20;

/** Every enabled repository that the asking person sees. */
export function useRepositoryChoices(): readonly Option[] {
  const asked = useQuery({
    queryKey: [...keyOf(listRepositories), 'all'],
    queryFn: () =>
      everyPage((page) => call(listRepositories, { query: { page, perPage, sort: 'name-asc' } })).then((rows) =>
        rows.map(({ id, fullName }) => ({ value: id, label: fullName })),
      ),
  });
  return asked.data ?? [];
}

/** Every tool of the inventory. */
export function useToolChoices(): readonly Option[] {
  const asked = useQuery({
    queryKey: [...keyOf(listTools), 'all'],
    queryFn: async () => {
      const tabs = toolTabs.map((tab) =>
        everyPage((page) => call(listTools, { body: { tab, page, perPage, sort: 'name-asc' } })),
      );
      const rows = (await Promise.all(tabs)).flat();
      return rows.map(({ id, name }) => ({ value: id, label: name }));
    },
  });
  return asked.data ?? [];
}

async function everyPage<Row>(ask: (page: number) => Promise<{ rows: Row[]; total: number }>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await ask(page);
    rows.push(...answer.rows);
    if (page * perPage >= answer.total) break;
  }
  return rows;
}
