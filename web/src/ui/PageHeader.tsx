import { IconChevronLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from './Link.tsx';
import s from './PageHeader.module.css';
import { PageTitle } from './PageTitle.tsx';

interface Props {
  title: string;
  /** Breadcrumb to the list this page belongs to. */
  back?: { label: string; href: string } | undefined;
  /** An icon or a face before the title. */
  before?: ReactNode;
  /** A tag after the title. */
  after?: ReactNode;
  /** A line of facts or one sentence under the title. */
  note?: ReactNode;
  /** How fresh the page is; every audit view says so. */
  asOf?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, back, before, after, note, asOf, actions }: Props) {
  return (
    <div className={s.head}>
      <div className={s.text}>
        {back && (
          <nav aria-label="Breadcrumb">
            <Link className={s.back} href={back.href}>
              <IconChevronLeft size={15} aria-hidden />
              {back.label}
            </Link>
          </nav>
        )}
        <div className={s.line}>
          {before}
          <PageTitle title={title} className={s.title} />
          {after}
        </div>
        {note && <div className={s.note}>{note}</div>}
      </div>
      {(asOf || actions) && (
        <div className={s.actions}>
          {asOf && <span className={s.asOf}>{asOf}</span>}
          {actions}
        </div>
      )}
    </div>
  );
}
