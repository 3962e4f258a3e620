import { lazy, Suspense } from 'react';
import s from './ListToolbar.module.css';
import type { ListToolsProps } from './ListTools.tsx';

// Loaded after the rows, which no page waits for.
const ListTools = lazy(async () => ({ default: (await import('./ListTools.tsx')).ListTools }));

export type ListToolbarProps = ListToolsProps;

/** The bar above a table with its saved views, columns and export. It has its height before they are loaded. */
export const ListToolbar = (props: ListToolbarProps) => (
  <div className={s.toolbar}>
    <Suspense>
      <ListTools {...props} />
    </Suspense>
  </div>
);
