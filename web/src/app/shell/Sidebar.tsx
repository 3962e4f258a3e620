import { Link } from '#ui/Link.tsx';
import { Wordmark } from '#ui/Logo.tsx';
import {
  isCurrent,
  mainEntries,
  type NavigationEntry,
  type NavigationFlags,
  organizationEntries,
} from './navigation.ts';
import s from './Sidebar.module.css';

export interface SidebarProps {
  path: string;
  flags: NavigationFlags;
  /** Whether there is a screen at a path for this role: an entry without one is not drawn. */
  has: (entry: NavigationEntry) => boolean;
  /** Called when an entry was chosen, so that a drawer can close. */
  onChoose?: (() => void) | undefined;
}

/** The wordmark and the two groups of entries; the shell puts it beside the page, or into a drawer. */
export const Sidebar = ({ path, flags, has, onChoose }: SidebarProps) => {
  const main = mainEntries(flags).filter(has);
  const organization = organizationEntries.filter(has);
  return (
    <div className={s.sidebar}>
      <Link className={s.brand} href="/" onClick={onChoose}>
        <Wordmark />
      </Link>
      <nav aria-label="Main" className={s.nav}>
        <Entries entries={main} path={path} onChoose={onChoose} />
        {organization.length > 0 && (
          <>
            <h2 className={s.group} id="sidebar-organization">
              Organization
            </h2>
            <Entries entries={organization} path={path} onChoose={onChoose} labelledBy="sidebar-organization" />
          </>
        )}
      </nav>
    </div>
  );
};

interface EntriesProps {
  entries: readonly NavigationEntry[];
  path: string;
  onChoose: (() => void) | undefined;
  labelledBy?: string;
}

const Entries = ({ entries, path, onChoose, labelledBy }: EntriesProps) => (
  <ul aria-labelledby={labelledBy}>
    {entries.map((entry) => (
      <li key={entry.href}>
        <Link
          className={s.link}
          href={entry.href}
          aria-current={isCurrent(entry, path) ? 'page' : undefined}
          onClick={onChoose}
        >
          <entry.Icon size={17} stroke={1.6} aria-hidden />
          {entry.label}
        </Link>
      </li>
    ))}
  </ul>
);
