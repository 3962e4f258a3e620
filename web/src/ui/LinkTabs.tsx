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
  /** The subject of the tabs: 'Organization'. */
  label: string;
  tabs: readonly LinkTab[];
  /** The href of the current tab. */
  current: string;
}

/** Tabs with URLs of their own: links in a navigation, not ARIA tabs. */
export function LinkTabs({ label, tabs, current }: LinkTabsProps) {
  const row = useRef<HTMLElement>(null);
  // Narrow screens do not fit all tabs: scrolls the current one into view.
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
