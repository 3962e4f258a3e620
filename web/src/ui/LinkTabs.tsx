import { useEffect, useRef } from 'react';
import { Count } from './Count.tsx';
import { Link } from './Link.tsx';
import s from './LinkTabs.module.css';

export interface LinkTab {
  label: string;
  href: string;
  count?: number | undefined;
}

interface LinkTabsProps {
  /** What the tabs belong to: 'Organization'. */
  label: string;
  tabs: readonly LinkTab[];
  /** The href of the open one. */
  current: string;
}

/** Tabs that are places with an address of their own: links in a navigation, not ARIA tabs. */
export function LinkTabs({ label, tabs, current }: LinkTabsProps) {
  const row = useRef<HTMLElement>(null);
  // On a phone there are more than fit: the open one is never out of sight.
  useEffect(() => {
    const open = [...(row.current?.children ?? [])].find((tab) => tab.getAttribute('href') === current);
    if (row.current && open) row.current.scrollLeft += middleOf(open) - middleOf(row.current);
  }, [current]);
  return (
    <nav ref={row} className={s.tabs} aria-label={label}>
      {tabs.map(({ label: words, href, count }) => (
        <Link key={href} className={s.tab} href={href} aria-current={href === current ? 'page' : undefined}>
          {words}
          {count !== undefined && <Count>{count}</Count>}
        </Link>
      ))}
    </nav>
  );
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
