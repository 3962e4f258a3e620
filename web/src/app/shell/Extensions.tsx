import { Link } from '#ui/Link.tsx';
import { StatusBadge, StatusDot } from '#ui/StatusBadge.tsx';
import s from './Extensions.module.css';

export interface ShellExtension {
  /** 'Editor extension'. */
  label: string;
  connected: boolean;
}

interface ExtensionSummaryProps {
  extensions: readonly ShellExtension[];
  /** The page for installing a missing one; undefined without such a page. */
  getHref: string | undefined;
}

/** In the header: success if all are connected, a warning with text if one is missing (spec 2.3). */
export function ExtensionSummary({ extensions, getHref }: ExtensionSummaryProps) {
  const missing = extensions.filter(({ connected }) => !connected);
  const words =
    missing.length === 0
      ? 'Extensions connected'
      : missing.length === 1
        ? `${missing[0]?.label} missing`
        : 'Extensions missing';
  if (missing.length === 0 || getHref === undefined) {
    return (
      <span className={s.summary} data-missing={missing.length > 0 || undefined}>
        <StatusDot tone={missing.length === 0 ? 'green' : 'yellow'}>{words}</StatusDot>
      </span>
    );
  }
  return (
    <Link className={s.summary} data-missing href={getHref}>
      <StatusDot tone="yellow">{words}</StatusDot>
      <span className="vh">: get it</span>
    </Link>
  );
}

/** In the user menu: one line for each extension. */
export const ExtensionLines = ({ extensions }: { extensions: readonly ShellExtension[] }) => (
  <div className={s.lines} role="presentation">
    {extensions.map(({ label, connected }) => (
      <p key={label} className={s.line}>
        <span>{label}</span>
        {connected ? (
          <StatusDot tone="green">Connected</StatusDot>
        ) : (
          <StatusBadge tone="yellow">Not connected</StatusBadge>
        )}
      </p>
    ))}
  </div>
);
