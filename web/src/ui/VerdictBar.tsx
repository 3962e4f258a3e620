import type { VerdictCounts } from '@sightline/contract/compliance/controls.ts';
import s from './VerdictBar.module.css';
import { toneFill, verdictBadges, verdicts } from './verdicts.ts';

/** The verdicts of a population: shares as a bar, and non-zero counts as text. */
export function VerdictBar({ counts }: { counts: VerdictCounts }) {
  if (counts.population === 0) return <span className="dim">No items</span>;
  const present = verdicts.filter((verdict) => counts[verdict] > 0);
  return (
    <span className={s.frame}>
      <span className={s.bar} aria-hidden>
        {present.map((verdict) => (
          <span key={verdict} style={{ flexGrow: counts[verdict], background: toneFill(verdictBadges[verdict][0]) }} />
        ))}
      </span>
      <span className={s.words}>
        {present
          .map((verdict) => `${number.format(counts[verdict])} ${verdictBadges[verdict][1].toLowerCase()}`)
          .join(' · ')}
      </span>
    </span>
  );
}

const number = new Intl.NumberFormat('en-GB');
