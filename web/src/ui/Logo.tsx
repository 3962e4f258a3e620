import s from './Logo.module.css';

/** Split-image rangefinder: two half discs, aligned by the gap between them. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <path className={s.upper} d="M2 11a8 8 0 0 1 16 0z" />
      <path className={s.lower} d="M6 13a8 8 0 0 0 16 0z" />
    </svg>
  );
}

export function Wordmark({ size = 20 }: { size?: number }) {
  return (
    <span className={s.wordmark} role="img" aria-label="Sightline">
      <Mark size={size} />
      <span className={s.name} style={{ fontSize: size * 0.8 }}>
        Sightline
      </span>
    </span>
  );
}
