import { Fragment } from 'react';
import { Link } from '#ui/Link.tsx';
import { Wordmark } from '#ui/Logo.tsx';
import {
  evidenceEntries,
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
  /** Whether a path has a screen for this role; other entries are not rendered. */
  has: (entry: NavigationEntry) => boolean;
  /** Called when an entry was selected, so that a drawer can close. */
  onChoose?: (() => void) | undefined;
}

/** The wordmark and the groups of entries. The shell places it beside the page, or in a drawer. */
export const Sidebar = ({ path, flags, has, onChoose }: SidebarProps) => {
  const main = mainEntries(flags).filter(has);
  const groups = [
    { title: 'Evidence', id: 'sidebar-evidence', entries: evidenceEntries.filter(has) },
    { title: 'Organization', id: 'sidebar-organization', entries: organizationEntries.filter(has) },
  ];
  return (
    <div className={s.sidebar}>
      <Link className={s.brand} href="/" onClick={onChoose}>
        <Wordmark />
      </Link>
      <nav aria-label="Main" className={s.nav}>
        <Entries entries={main} path={path} onChoose={onChoose} />
        {groups
          .filter(({ entries }) => entries.length > 0)
          .map(({ title, id, entries }) => (
            <Fragment key={id}>
              <h2 className={s.group} id={id}>
                {title}
              </h2>
              <Entries entries={entries} path={path} onChoose={onChoose} labelledBy={id} />
            </Fragment>
          ))}
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
