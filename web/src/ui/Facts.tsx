import type { ReactNode } from 'react';
import s from './Facts.module.css';

/** Facts as term and value: the term above its value, or beside it. */
export function Facts({ items, side = false }: { items: readonly (readonly [string, ReactNode])[]; side?: boolean }) {
  return (
    <dl className={side ? s.side : s.stacked}>
      {items.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
