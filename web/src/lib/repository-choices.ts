import { listRepositories } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { call, keyOf } from './api.ts';

const perPage = 100;
/** Longer lists are truncated to this number of pages. */
const mostPages = 20;

/**
 * All enabled repositories that the user can see, for selection; undefined while loading and after a failure. `quiet`
 * opens no error dialog, for pages that work without the selection.
 */
export function useRepositoryChoices({ quiet = false } = {}): readonly { value: string; label: string }[] | undefined {
  const result = useQuery({
    meta: { quiet },
    queryKey: [...keyOf(listRepositories), 'all'],
    queryFn: () =>
      fetchAllPages((page) => call(listRepositories, { query: { page, perPage, sort: 'name-asc' } })).then((rows) =>
        rows.map(({ id, fullName }) => ({ value: id, label: fullName })),
      ),
  });
  return result.data;
}

/** All rows of a paged list, up to the maximum. */
export async function fetchAllPages<Row>(
  ask: (page: number) => Promise<{ rows: Row[]; total: number }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await ask(page);
    rows.push(...answer.rows);
    if (page * perPage >= answer.total) break;
  }
  return rows;
}
