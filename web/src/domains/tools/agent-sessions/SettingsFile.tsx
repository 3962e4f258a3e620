import { CopyButton } from '#ui/CopyButton.tsx';
import s from './AgentSessions.module.css';

/** The content of a settings file, or commands, to copy. `label` distinguishes it from the same file elsewhere on the page. */
export const SettingsFile = ({ name, text, label = name }: { name: string; text: string; label?: string }) => (
  <div className={s.file}>
    <div className={s.fileHead}>
      <span className="mono">{name}</span>
      <CopyButton compact value={text} label={`Copy ${label}`} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code must be scrollable by keyboard */}
    <section className={s.code} tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  </div>
);
