import { useId } from 'react';
import { useNow } from '#ui/Clock.tsx';
import { utcTimeText } from '../portalLabels.ts';
import s from './Portal.module.css';

/** Marks the page and every printed sheet with recipient and time, so that a screenshot shows its source. */
export function Watermark({ words }: { words: string }) {
  const pattern = useId();
  const at = utcTimeText(new Date(useNow()).toISOString());
  return (
    <svg className={s.watermark} aria-hidden focusable="false">
      <defs>
        <pattern id={pattern} width="460" height="190" patternUnits="userSpaceOnUse" patternTransform="rotate(-24)">
          <text x="8" y="60">
            {words}
          </text>
          <text x="120" y="155">
            {at}
          </text>
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${pattern})`} />
    </svg>
  );
}
