import { Panel } from '#ui/Panel.tsx';
import s from './HomePage.module.css';

/** spec 2.5: the notes of the current release. */
export const ReleaseNotes = () => (
  <Panel
    title="Release Notes"
    aside={
      <time className="dim num" dateTime="2025-04-15">
        April 15, 2025
      </time>
    }
  >
    <div className={s.notes}>
      <span className={s.version}>Version 1.0</span>
      <div>
        <h3 className={s.note}>Tool Inventory</h3>
        <p className={s.noteText}>
          Every CI/CD and developer tool in use, with who uses it, where, and when it was last seen.
        </p>
      </div>
    </div>
  </Panel>
);
