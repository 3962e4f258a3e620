import type { ReactNode } from 'react';
import { Announcer } from './Announcer.tsx';
import s from './Focus.module.css';
import { Link } from './Link.tsx';
import { Wordmark } from './Logo.tsx';

interface FocusProps {
  children: ReactNode;
  /** The targets of the footer links. */
  legal: { terms: string; privacy: string; contact: string };
}

/** A page with one task and no shell: onboarding, organization chooser, verification, 404. Its h1 is a `PageTitle`. */
export const Focus = ({ children, legal }: FocusProps) => (
  <div className={s.page}>
    <header className={s.head}>
      <Link href="/">
        <Wordmark size={22} />
      </Link>
    </header>
    <main className={s.main}>{children}</main>
    <footer className={s.foot}>
      <a href={legal.terms}>Terms</a>
      <a href={legal.privacy}>Privacy</a>
      <a href={legal.contact}>Contact us</a>
    </footer>
    <Announcer />
  </div>
);
