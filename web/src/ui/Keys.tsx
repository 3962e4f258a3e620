import s from './Keys.module.css';

/** Keys as they stand on a keyboard. */
export const Keys = ({ keys }: { keys: readonly string[] }) => (
  <span className={s.keys}>
    {keys.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
);
