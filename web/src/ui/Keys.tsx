import s from './Keys.module.css';

/** The labels of keys. */
export const Keys = ({ keys }: { keys: readonly string[] }) => (
  <span className={s.keys}>
    {keys.map((key) => (
      <kbd key={key}>{key}</kbd>
    ))}
  </span>
);
