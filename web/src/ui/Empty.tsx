import { IconFilterOff, IconInbox, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import s from './Empty.module.css';

interface EmptyProps {
  /** Empty (explain what to do), no match (show the filters, offer Clear), or no permission (name whom to contact). */
  kind: 'nothing-yet' | 'no-match' | 'not-allowed';
  title: string;
  /** Replaces the icon of the kind. */
  icon?: ReactNode;
  children?: ReactNode;
  /** For 'no-match': the filters in words, as chips. */
  filters?: readonly string[];
  action?: ReactNode;
}

const shape = { size: 19, stroke: 1.6 } as const;
const icons = {
  'nothing-yet': <IconInbox {...shape} />,
  'no-match': <IconFilterOff {...shape} />,
  'not-allowed': <IconLock {...shape} />,
};

export function Empty({ kind, title, icon = icons[kind], children, filters = [], action }: EmptyProps) {
  return (
    <div className={s.empty}>
      <div className={s.sight} aria-hidden>
        <span className={s.icon}>{icon}</span>
      </div>
      <h2 className={s.title}>{title}</h2>
      {children && <div className={s.text}>{children}</div>}
      {filters.length > 0 && (
        <ul className={s.filters} aria-label="Filters in use">
          {filters.map((filter) => (
            <li key={filter}>{filter}</li>
          ))}
        </ul>
      )}
      {action && <div className={s.action}>{action}</div>}
    </div>
  );
}
