import { CopyButton } from '#ui/CopyButton.tsx';
import s from './Ledger.module.css';

/** A value that is compared character by character, with a button to copy it. */
export const Exact = ({ value, label }: { value: string; label: string }) => (
  <span className={s.exact}>
    <code>{value}</code>
    <CopyButton value={value} label={label} compact />
  </span>
);
