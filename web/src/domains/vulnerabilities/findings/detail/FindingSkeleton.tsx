import { Panel } from '#ui/Panel.tsx';
import s from './Finding.module.css';

/** The page while loading. Omits the title, which takes the focus when it appears. */
export const FindingSkeleton = () => (
  <div aria-busy="true">
    <p className="vh" role="status">
      Loading vulnerability
    </p>
    <div className={s.crumbs} />
    <div className={s.headPlaceholders}>
      <span className={s.placeholder} data-title />
      <span className={s.placeholder} />
    </div>
    <div className={s.grid}>
      <div className={s.main}>
        <Panel title="Description">
          <span className={s.placeholder} data-wide />
          <span className={s.placeholder} data-wide />
          <span className={s.placeholder} />
        </Panel>
        <Panel title="Code location">
          <span className={s.placeholder} data-tall />
        </Panel>
      </div>
      <Panel title="Details">
        {['severity', 'repository', 'ref', 'category', 'codes'].map((fact) => (
          <span key={fact} className={s.placeholder} />
        ))}
      </Panel>
    </div>
  </div>
);
