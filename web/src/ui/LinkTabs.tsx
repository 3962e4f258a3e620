import { Count } from './Count.tsx';
import { Link } from './Link.tsx';
import s from './LinkTabs.module.css';

export interface LinkTab {
  label: string;
  href: string;
  count?: number | undefined;
}

interface Props {
  /** What the tabs belong to: 'Organization'. */
  label: string;
  tabs: readonly LinkTab[];
  /** The href of the open one. */
  current: string;
}

/** Tabs that are places with an address of their own: links in a navigation, not ARIA tabs. */
export const LinkTabs = ({ label, tabs, current }: Props) => (
  <nav className={s.tabs} aria-label={label}>
    {tabs.map(({ label: words, href, count }) => (
      <Link key={href} className={s.tab} href={href} aria-current={href === current ? 'page' : undefined}>
        {words}
        {count !== undefined && <Count>{count}</Count>}
      </Link>
    ))}
  </nav>
);
