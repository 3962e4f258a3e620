import type { Scan } from '@sightline/contract/vulnerabilities/scans.ts';
import s from './Scans.module.css';

type ScanCountValues = NonNullable<Scan['counts']>;

const names = [
  ['new', 'new'],
  ['fixed', 'fixed'],
  ['reopened', 'reopened'],
  ['unchanged', 'unchanged'],
] as const satisfies readonly (readonly [keyof ScanCountValues, string])[];

/** What a scan changed, in words: '2 new · 1 fixed'. Zeroes stay, dimmed: that nothing was fixed is an answer too. */
export const ScanCounts = ({ counts }: { counts: ScanCountValues }) => (
  <ul className={s.counts}>
    {names.map(([key, word]) => (
      <li key={key} data-count={key} data-zero={counts[key] === 0 || undefined}>
        <b className="num">{counts[key].toLocaleString('en')}</b> {word}
      </li>
    ))}
  </ul>
);
