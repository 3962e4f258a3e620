import type { DocPage } from 'virtual:user-docs';
import { Link } from '#ui/Link.tsx';
import s from './PageList.module.css';

interface PageListProps {
  pages: readonly DocPage[];
  current: string | undefined;
  /** Called when a page is selected, so that a drawer can close. */
  onChoose?: () => void;
}

/** Lists every page by group. */
export const PageList = ({ pages, current, onChoose }: PageListProps) => (
  <nav className={s.nav} aria-label="Documentation">
    {[...new Set(pages.map(({ group }) => group))].map((group) => (
      <section key={group} aria-label={group}>
        <h2 className={s.group}>{group}</h2>
        <ul>
          {pages
            .filter((page) => page.group === group)
            .map(({ name, title }) => (
              <li key={name}>
                <Link
                  className={s.link}
                  href={`/docs/${name}`}
                  aria-current={name === current ? 'page' : undefined}
                  onClick={onChoose}
                >
                  {title}
                </Link>
              </li>
            ))}
        </ul>
      </section>
    ))}
  </nav>
);
