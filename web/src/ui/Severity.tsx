import s from './Severity.module.css';
import { type Level, levelNames, severityLevels } from './severities.ts';

/** A letter on its color, then the word: never color alone. */
export const Severity = ({ level }: { level: Level }) => (
  <span className={s.tag}>
    <LevelGlyph level={level} />
    {levelNames[level]}
  </span>
);

/** The letter alone, next to its word. */
export const LevelGlyph = ({ level }: { level: Level }) => (
  <span className={s.glyph} data-level={level} aria-hidden>
    {levelNames[level].slice(0, 1)}
  </span>
);

/** Five fixed columns, so that rows can be compared. Zero is a dash. */
export const SeverityCounts = ({ counts }: { counts: Partial<Record<Level, number>> }) => (
  <span className={s.counts}>
    {severityLevels.map((level) => {
      const count = counts[level] ?? 0;
      return (
        <span key={level} className={s.count} data-zero={count === 0 || undefined}>
          {count > 0 && <LevelGlyph level={level} />}
          <span className="num" aria-hidden>
            {count === 0 ? '–' : count}
          </span>
          <span className="vh">{`${count} ${levelNames[level]}`}</span>
        </span>
      );
    })}
  </span>
);

/** 'C 1 Critical  H 3 High': the non-zero counts with their words, in one line; text if all are zero. */
export function SeverityWords({ counts }: { counts: Partial<Record<Level, number>> }) {
  const present = severityLevels.filter((level) => (counts[level] ?? 0) > 0);
  return present.length === 0 ? (
    <>None</>
  ) : (
    <span className={s.words}>
      {present.map((level) => (
        <span key={level} className={s.tag}>
          <LevelGlyph level={level} />
          <span className="num">{counts[level]}</span> {levelNames[level]}
        </span>
      ))}
    </span>
  );
}

/** The column headers of those counts. */
export const SeverityHead = () => (
  <span className={s.counts}>
    <span className="vh">Vulnerabilities: </span>
    {severityLevels.map((level) => (
      <span key={level}>{levelNames[level]}</span>
    ))}
  </span>
);
