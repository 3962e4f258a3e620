import { CopyButton } from '#ui/CopyButton.tsx';
import s from './AgentSessions.module.css';

/** The content of a settings file, or commands, to copy. */
export const SettingsFile = ({ name, text }: { name: string; text: string }) => (
  <div className={s.file}>
    <div className={s.fileHead}>
      <span className="mono">{name}</span>
      <CopyButton compact value={text} label={`Copy ${name}`} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code must be scrollable by keyboard */}
    <section className={s.code} tabIndex={0} aria-label={name}>
      <pre>{text}</pre>
    </section>
  </div>
);
