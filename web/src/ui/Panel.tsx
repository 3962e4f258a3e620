import type { ReactNode } from 'react';
import s from './Panel.module.css';

interface PanelProps {
  title?: string;
  /** Right of the title: a link, a count, a button. */
  aside?: ReactNode;
  /** No padding: for tables and lists with their own. */
  flush?: boolean;
  /** Red edge, for irreversible actions. */
  danger?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

export function Panel({ title, aside, flush = false, danger = false, className = '', children }: PanelProps) {
  return (
    <section className={`${s.panel} ${className}`} data-danger={danger || undefined}>
      {title && (
        <div className={s.head}>
          <h2 className={s.title}>{title}</h2>
          {aside}
        </div>
      )}
      <div className={flush ? s.flush : s.body}>{children}</div>
    </section>
  );
}
