import { type ReactNode, useEffect, useState } from 'react';
import s from './ScanningAnimation.module.css';

interface ScanningAnimationProps {
  /** Names to cycle through, one every 3 s (spec 2.10). */
  names: readonly string[];
  /** The progress as text. */
  children?: ReactNode;
}

/** Two half discs slide towards each other during a tool scan. The names are decorative and not announced. */
export function ScanningAnimation({ names, children }: ScanningAnimationProps) {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (names.length < 2 || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const timer = window.setInterval(() => setTurn((last) => last + 1), 3000);
    return () => window.clearInterval(timer);
  }, [names.length]);
  return (
    <div className={s.scanning}>
      <div className={s.lens} aria-hidden>
        <span />
        <span />
      </div>
      <h2 className={s.title}>Scanning</h2>
      <p className={s.name} aria-hidden>
        {names[turn % Math.max(1, names.length)]}
      </p>
      {children && <div className={s.note}>{children}</div>}
    </div>
  );
}
