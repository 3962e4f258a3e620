import { useEffect, useState } from 'react';
import { utcTimeText } from '../portalLabels.ts';
import s from './Portal.module.css';

/** Counts down to the expiry of the portal, by the second in the last hour. */
export function PortalExpiryCountdown({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Date.parse(at) - now);
  const isSoon = left < hour;
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isSoon ? 1000 : 15_000);
    return () => clearInterval(timer);
  }, [isSoon]);
  return (
    <p className={s.closing} data-soon={isSoon || undefined}>
      <span>
        Expires in <span role="timer">{leftName(left)}</span>
      </span>
      <time dateTime={at}>{utcTimeText(at)}</time>
    </p>
  );
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function leftName(left: number): string {
  if (left >= 2 * day) return `${Math.floor(left / day)} days`;
  if (left >= hour) return `${Math.floor(left / hour)} h ${Math.floor((left % hour) / minute)} min`;
  return `${Math.floor(left / minute)} min ${Math.floor((left % minute) / 1000)} s`;
}
