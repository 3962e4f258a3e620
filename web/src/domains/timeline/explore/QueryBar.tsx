import s from './Query.module.css';
import { QueryInput } from './QueryInput.tsx';
import { ZoneSelect } from './ZoneSelect.tsx';

interface QueryBarProps {
  query: string;
  onQuery: (query: string) => void;
  offset: number;
  onOffset: (offset: number) => void;
}

/** What events are asked for, and the zone their times are told in. */
export const QueryBar = ({ query, onQuery, offset, onOffset }: QueryBarProps) => (
  // biome-ignore lint/a11y/useSemanticElements: <search> is not yet known to every browser we support
  <div className={s.row} role="search">
    <QueryInput value={query} onChange={onQuery} />
    <ZoneSelect offset={offset} onChange={onOffset} />
  </div>
);
