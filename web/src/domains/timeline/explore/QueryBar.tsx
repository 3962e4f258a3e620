import type { QueryProblem } from '@sightline/contract/timeline/query-language/errors.ts';
import s from './Query.module.css';
import { QueryInput } from './QueryInput.tsx';
import { ZoneSelect } from './ZoneSelect.tsx';

interface QueryBarProps {
  query: string;
  onQuery: (query: string) => void;
  rejection: QueryProblem | undefined;
  onInvalid: (isInvalid: boolean) => void;
  offset: number;
  onOffset: (offset: number) => void;
}

/** The query of the timeline, and the time zone of its times. */
export const QueryBar = ({ query, onQuery, rejection, onInvalid, offset, onOffset }: QueryBarProps) => (
  // biome-ignore lint/a11y/useSemanticElements: not every supported browser implements <search>
  <div className={s.row} role="search">
    <QueryInput value={query} onChange={onQuery} rejection={rejection} onInvalid={onInvalid} />
    <ZoneSelect offset={offset} onChange={onOffset} />
  </div>
);
