import { useId } from 'react';
import { useNow } from '#ui/Clock.tsx';
import { momentName } from '../words.ts';
import s from './Portal.module.css';

/** For whom this is shown and when, across the page and every sheet of paper: a picture of it says where it came from. */
export function Watermark({ words }: { words: string }) {
  const pattern = useId();
  const at = momentName(new Date(useNow()).toISOString());
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
