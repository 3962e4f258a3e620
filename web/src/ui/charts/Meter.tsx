import s from './Meter.module.css';

/**
 * A bar for a share from 0 to 1, as for the readiness of a framework on Home. Hidden from screen readers: show the
 * numbers beside it.
 */
export const Meter = ({ share }: { share: number }) => (
  <span className={s.track} aria-hidden>
    <span className={s.fill} style={{ width: `${share * 100}%` }} />
  </span>
);
