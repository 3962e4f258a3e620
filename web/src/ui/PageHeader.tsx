import { IconChevronLeft } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { HelpLink } from './HelpLink.tsx';
import { Link } from './Link.tsx';
import s from './PageHeader.module.css';
import { PageTitle } from './PageTitle.tsx';

interface PageHeaderProps {
  title: string;
  /** Breadcrumb to the parent list. */
  back?: { label: string; href: string } | undefined;
  /** An icon or avatar before the title. */
  before?: ReactNode;
  /** A tag after the title. */
  after?: ReactNode;
  /** The documentation of the page. */
  help?: ComponentProps<typeof HelpLink> | undefined;
  /** A line of facts or one sentence below the title. */
  note?: ReactNode;
  /** How recent the data is; every audit view states it. */
  freshness?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, back, before, after, help, note, freshness, actions }: PageHeaderProps) {
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
          {help && <HelpLink {...help} />}
        </div>
        {note && <div className={s.note}>{note}</div>}
      </div>
      {(freshness || actions) && (
        <div className={s.side}>
          {actions && <div className={s.actions}>{actions}</div>}
          {freshness && <span className={s.freshness}>{freshness}</span>}
        </div>
      )}
    </div>
  );
}
