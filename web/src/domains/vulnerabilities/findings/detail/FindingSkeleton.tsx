import { Panel } from '#ui/Panel.tsx';
import s from './Finding.module.css';

/** The page while loading. Omits the title, which takes the focus when it appears. */
export const FindingSkeleton = () => (
  <div aria-busy="true">
    <p className="vh" role="status">
      Loading
    </p>
    <div className={s.crumbs} />
    <div className={s.headBones}>
      <span className={s.bone} data-title />
      <span className={s.bone} />
    </div>
    <div className={s.grid}>
      <div className={s.main}>
        <Panel title="Description">
          <span className={s.bone} data-wide />
          <span className={s.bone} data-wide />
          <span className={s.bone} />
        </Panel>
        <Panel title="Code location">
          <span className={s.bone} data-tall />
        </Panel>
      </div>
      <Panel title="Details">
        {['severity', 'repository', 'ref', 'category', 'codes'].map((fact) => (
          <span key={fact} className={s.bone} />
        ))}
      </Panel>
    </div>
  </div>
);
