import type { ReactNode } from 'react';
import s from './Filters.module.css';

/** The row above a table: search first, then filters, then (at the end) a count or a toggle. */
export const Filters = ({ children, end }: { children: ReactNode; end?: ReactNode }) => (
  // biome-ignore lint/a11y/useSemanticElements: not every supported browser implements <search>
  <div className={s.row} role="search">
    {children}
    {end && <div className={s.end}>{end}</div>}
  </div>
);
