import { useLocalStorage } from '@mantine/hooks';
import { useSession } from '#lib/session.ts';

const most = 8;

/** The last queries of this reader in this organization, newest first, and how another one is put to them. */
export function useQueryHistory(): readonly [readonly string[], (query: string) => void] {
  const organization = useSession()?.organization ?? '';
  const [queries, setQueries] = useLocalStorage<string[]>({ key: `exploreHistory.${organization}`, defaultValue: [] });
  const remember = (query: string) =>
    setQueries((known) => [query, ...known.filter((other) => other !== query)].slice(0, most));
  return [queries, remember];
}
