import { StatusDot } from '#ui/StatusBadge.tsx';
import s from './Extensions.module.css';

export interface ShellExtension {
  /** 'Editor extension'. */
  label: string;
  connected: boolean;
}

/** In the header: success when all are connected, a warning with words when one is missing (spec 2.3). */
export function ExtensionSummary({ extensions }: { extensions: readonly ShellExtension[] }) {
  const missing = extensions.filter(({ connected }) => !connected);
  const words =
    missing.length === 0
      ? 'Extensions connected'
      : missing.length === 1
        ? `${missing[0]?.label} missing`
        : 'Extensions missing';
  return (
    <span className={s.summary} data-missing={missing.length > 0 || undefined}>
      <StatusDot tone={missing.length === 0 ? 'green' : 'yellow'}>{words}</StatusDot>
    </span>
  );
}

/** In the user menu: one line for each extension. */
export const ExtensionLines = ({ extensions }: { extensions: readonly ShellExtension[] }) => (
  <div className={s.lines} role="presentation">
    {extensions.map(({ label, connected }) => (
      <p key={label} className={s.line}>
        <span>{label}</span>
        <StatusDot tone={connected ? 'green' : 'yellow'}>{connected ? 'Connected' : 'Not connected'}</StatusDot>
      </p>
    ))}
  </div>
);
