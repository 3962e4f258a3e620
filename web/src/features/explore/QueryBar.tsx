import { SearchBox } from '#ui/SearchBox.tsx';
import s from './Explore.module.css';
import type { ExploreQuery } from './exploreQuery.ts';
import { ZoneSelect } from './ZoneSelect.tsx';

interface Props {
  query: ExploreQuery;
  setQuery: (patch: Partial<ExploreQuery>) => void;
  offset: number;
  onOffset: (offset: number) => void;
}

/** The words that events are found by, and the zone their times are told in. */
export const QueryBar = ({ query, setQuery, offset, onOffset }: Props) => (
  // biome-ignore lint/a11y/useSemanticElements: <search> is not yet known to every browser we support
  <div className={s.bar} role="search">
    <div className={s.words}>
      <SearchBox
        label="Filter events by querying the data..."
        value={query.query}
        onChange={(words) =>
          setQuery(query.event === undefined ? { query: words } : { query: words, event: undefined })
        }
      />
    </div>
    <ZoneSelect offset={offset} onChange={onOffset} />
  </div>
);
