import type { ReactNode } from 'react';
import s from './Account.module.css';

interface RowProps {
  icon: ReactNode;
  name: ReactNode;
  /** The second line. */
  meta?: ReactNode;
  /** Tags behind the name. */
  tags?: ReactNode;
  children?: ReactNode;
}

/** A list item: name, one detail, and its actions. */
export const AccountListItem = ({ icon, name, meta, tags, children }: RowProps) => (
  <li className={s.row}>
    <span className={s.glyph}>{icon}</span>
    <div className={s.rowText}>
      <p className={s.name}>
        <span className="truncate">{name}</span>
        {tags}
      </p>
      {meta && <p className={s.meta}>{meta}</p>}
    </div>
    {children && <div className={s.rowEnd}>{children}</div>}
  </li>
);
