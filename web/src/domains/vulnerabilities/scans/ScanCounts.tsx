import type { Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import s from './Scans.module.css';

type ScanCountValues = NonNullable<Scan['counts']>;

const names = [
  ['new', 'new'],
  ['fixed', 'fixed'],
  ['reopened', 'reopened'],
  ['unchanged', 'unchanged'],
] as const satisfies readonly (readonly [keyof ScanCountValues, string])[];

/** Shows the changes of a scan: '2 new · 1 fixed'. Zeros are dimmed but shown, because they are results too. */
export const ScanCounts = ({ counts }: { counts: ScanCountValues }) => (
  <ul className={s.counts}>
    {names.map(([key, word]) => (
      <li key={key} data-count={key} data-zero={counts[key] === 0 || undefined}>
        <b className="num">{counts[key].toLocaleString('en')}</b> {word}
      </li>
    ))}
  </ul>
);
