import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { call, keyOf } from './api.ts';

const perPage = 100;
/** Lists that are longer than this many pages are cut: nobody chooses from thousands by looking. */
const mostPages = 20;

/** Every enabled repository that the asking person sees, to choose from; undefined while that is on its way. */
export function useRepositoryChoices(): readonly { value: string; label: string }[] | undefined {
  const asked = useQuery({
    queryKey: [...keyOf(listRepositories), 'all'],
    queryFn: () =>
      everyPage((page) => call(listRepositories, { query: { page, perPage, sort: 'name-asc' } })).then((rows) =>
        rows.map(({ id, fullName }) => ({ value: id, label: fullName })),
      ),
  });
  return asked.data;
}

/** All rows of a list that is told by pages, as far as anybody looks. */
export async function everyPage<Row>(ask: (page: number) => Promise<{ rows: Row[]; total: number }>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await ask(page);
    rows.push(...answer.rows);
    if (page * perPage >= answer.total) break;
  }
  return rows;
}
