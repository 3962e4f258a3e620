import type { ViewList } from '@sightline/contract/timeline/explore.ts';
import { useLocation, useRouter } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '#lib/search-params.ts';
import { SavedViews } from './SavedViews.tsx';

/** Saved views of a list whose state is in the URL: filters, order, grouping and columns, without the page. */
export function ListViews({ list, compact = false }: { list: Exclude<ViewList, 'events'>; compact?: boolean }) {
  const router = useRouter();
  const searchStr = useLocation({ select: (location) => location.searchStr });
  return (
    <SavedViews
      list={list}
      compact={compact}
      current={{ query: viewQueryOf(searchStr), context: null, chart: null }}
      onOpen={({ query }) =>
        void router.navigate({ href: `${router.latestLocation.pathname}${query === '' ? '' : `?${query}`}` })
      }
    />
  );
}

/** The page of a list, and what is opened on it. */
const positions = new Set(['page', 'older', 'newer', 'entry']);

/** The same for each order of the fields. */
function viewQueryOf(searchStr: string): string {
  const sorted = Object.entries(parseSearch(searchStr))
    .filter(([name]) => !positions.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return stringifySearch(Object.fromEntries(sorted)).replace(/^\?/, '');
}
