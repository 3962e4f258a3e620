import type { ReactNode } from 'react';
import s from './RowTitle.module.css';

interface RowTitleProps {
  /** An avatar or an icon. */
  glyph: ReactNode;
  /** The line that names the row: a `RowName` or a link, then adjacent elements. */
  children: ReactNode;
  /** Below it, dimmed. */
  meta?: ReactNode;
}

/** The title of a row: an icon, its name, and one line below. */
export const RowTitle = ({ glyph, children, meta }: RowTitleProps) => (
  <span className={s.title}>
    {glyph}
    <span className={s.text}>
      <span className={s.line}>{children}</span>
      {meta !== undefined && <span className={s.meta}>{meta}</span>}
    </span>
  </span>
);

/** The name in a row, truncated after one line, on narrow screens after two. */
export const RowName = ({ children }: { children: ReactNode }) => <b className={`truncate ${s.name}`}>{children}</b>;
