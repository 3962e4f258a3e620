import type { ReactNode } from 'react';
import { PageTitle } from '#ui/PageTitle.tsx';
import s from './Setup.module.css';

interface Props {
  title: string;
  /** What the step is for. */
  text: string;
  /** Below the text, within the head: a search. */
  tool?: ReactNode;
  children: ReactNode;
}

/** The card of one step. */
export const StepCard = ({ title, text, tool, children }: Props) => (
  <section className={s.card}>
    <div className={s.head} data-ruled={tool !== undefined || undefined}>
      <PageTitle title={title} className={s.title} />
      <p>{text}</p>
      {tool}
    </div>
    {children}
  </section>
);
