import type { ReactNode } from 'react';
import s from './Notice.module.css';
import { PageTitle } from './PageTitle.tsx';

interface NoticeProps {
  title: string;
  icon?: ReactNode;
  children?: ReactNode;
  /** Buttons and links, in order. */
  actions?: ReactNode;
}

/** One centered card inside `Focus`: email confirmation, 404, authorization. */
export const Notice = ({ title, icon, children, actions }: NoticeProps) => (
  <section className={s.card}>
    {icon && (
      <span className={s.icon} aria-hidden>
        {icon}
      </span>
    )}
    <PageTitle title={title} className={s.title} />
    {children && <div className={s.text}>{children}</div>}
    {actions && <div className={s.actions}>{actions}</div>}
  </section>
);
