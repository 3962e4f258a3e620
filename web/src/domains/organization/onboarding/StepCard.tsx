import type { ReactNode } from 'react';
import { DocsLink } from '#ui/DocsLink.tsx';
import { PageTitle } from '#ui/PageTitle.tsx';
import s from './Setup.module.css';

interface StepCardProps {
  title: string;
  /** The purpose of the step. */
  text: string;
  /** A link to the documentation, with its label. */
  more?: { href: string; words: string };
  /** A search field below the text. */
  tool?: ReactNode;
  children: ReactNode;
}

/** The card of one step. */
export const StepCard = ({ title, text, more, tool, children }: StepCardProps) => (
  <section className={s.card}>
    <div className={s.head} data-ruled={tool !== undefined || undefined}>
      <PageTitle title={title} className={s.title} />
      <p>
        {text}
        {more && (
          <>
            {' '}
            <DocsLink href={more.href}>{more.words}</DocsLink>
          </>
        )}
      </p>
      {tool}
    </div>
    {children}
  </section>
);
