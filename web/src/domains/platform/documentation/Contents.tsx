import type { DocPage } from 'virtual:user-docs';
import { type RefObject, useEffect, useState } from 'react';
import { Link } from '#ui/Link.tsx';
import s from './Contents.module.css';

/** Lists the headings of the page and marks the current one. */
export function TableOfContents({ page, prose }: { page: DocPage; prose: RefObject<HTMLElement | null> }) {
  const here = useCurrentHeading(prose);
  return (
    <nav className={s.contents} aria-labelledby="on-this-page">
      <h2 className={s.title} id="on-this-page">
        On this page
      </h2>
      <ol>
        {page.headings.map(({ id, text, level }) => (
          <li key={id} data-level={level}>
            <Link className={s.link} href={`/docs/${page.name}#${id}`} aria-current={id === here ? 'true' : undefined}>
              {text}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Returns the ID of the heading of the section at the top of the window. */
function useCurrentHeading(prose: RefObject<HTMLElement | null>): string | undefined {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    const updateHeading = () => {
      const headings = [...(prose.current?.querySelectorAll<HTMLElement>('[data-heading] > [id]') ?? [])];
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      // At the end of the page, the last sections are too short to reach the top.
      const atEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top < topLinePx);
      setHere((atEnd ? headings.at(-1) : passed.at(-1))?.id);
    };
    updateHeading();
    window.addEventListener('scroll', updateHeading, { passive: true });
    window.addEventListener('resize', updateHeading);
    return () => {
      window.removeEventListener('scroll', updateHeading);
      window.removeEventListener('resize', updateHeading);
    };
  }, [prose]);
  return here;
}

/** Pixels below the top of the window: below the header, at the scroll position of a heading. */
const topLinePx = 96;
