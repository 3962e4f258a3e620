import type { ReactNode } from 'react';
import s from './RowTitle.module.css';

interface RowTitleProps {
  /** A face or an icon. */
  glyph: ReactNode;
  /** The line that names the row: a `RowName` or a link, then what belongs beside it. */
  children: ReactNode;
  /** Under it, dimmed. */
  meta?: ReactNode;
}

/** What a row is: a glyph, its name, and one line under it. */
export const RowTitle = ({ glyph, children, meta }: RowTitleProps) => (
  <span className={s.title}>
    {glyph}
    <span className={s.text}>
      <span className={s.line}>{children}</span>
      {meta !== undefined && <span className={s.meta}>{meta}</span>}
    </span>
  </span>
);

/** The name in a row, cut where it does not fit: after one line, on a phone after two. */
export const RowName = ({ children }: { children: ReactNode }) => <b className={`truncate ${s.name}`}>{children}</b>;
