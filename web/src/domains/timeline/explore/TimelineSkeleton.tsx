import s from './Timeline.module.css';

const widths = ['52%', '64%', '45%', '71%', '58%', '39%', '66%', '49%', '61%', '54%'];

/** Skeleton rows. Their bars appear after 150 ms, so that a fast response causes no flash. */
export const TimelineSkeleton = () => (
  <div className={s.feed} aria-busy>
    <span className="vh">Loading events</span>
    <div className={s.date} aria-hidden>
      <span className={s.placeholder} style={{ width: 168 }} />
    </div>
    <ol aria-hidden>
      {widths.map((width) => (
        <li key={width} className={s.event}>
          <div className={s.row}>
            <span className={s.time}>
              <span className={s.placeholder} style={{ width: 48 }} />
            </span>
            <span className={s.rail}>
              <span className={s.node} />
            </span>
            <span className={s.placeholder} style={{ width }} />
          </div>
        </li>
      ))}
    </ol>
  </div>
);
