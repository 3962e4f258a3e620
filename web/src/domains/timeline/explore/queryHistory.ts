import { useLocalStorage } from '@mantine/hooks';
import { useSession } from '#lib/session.ts';

const maxQueries = 8;

/** Returns the recent queries of the user in this organization, newest first, and a function to add one. */
export function useQueryHistory(): readonly [readonly string[], (query: string) => void] {
  const organization = useSession()?.organization ?? '';
  const [queries, setQueries] = useLocalStorage<string[]>({ key: `exploreHistory.${organization}`, defaultValue: [] });
  const remember = (query: string) =>
    setQueries((known) => [query, ...known.filter((other) => other !== query)].slice(0, maxQueries));
  return [queries, remember];
}
