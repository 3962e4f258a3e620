import s from './Count.module.css';

/** A number in a small pill, beside a tab or a title. */
export const Count = ({ children }: { children: number }) => (
  <span className={s.count}>{new Intl.NumberFormat('en-GB').format(children)}</span>
);
