import type { DocPage } from 'virtual:user-docs';
import { type RefObject, useEffect, useState } from 'react';
import { Link } from '#ui/Link.tsx';
import s from './Contents.module.css';

/** The headings of the page beside it, and which of them is being read. */
export function Contents({ page, prose }: { page: DocPage; prose: RefObject<HTMLElement | null> }) {
  const here = useHere(prose);
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

/** The heading whose part stands at the top of the window. */
function useHere(prose: RefObject<HTMLElement | null>): string | undefined {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    const look = () => {
      const headings = [...(prose.current?.querySelectorAll<HTMLElement>('[data-heading] > [id]') ?? [])];
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      // At the very end the last parts are too short to come to the top.
      const atEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 2;
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top < line);
      setHere((atEnd ? headings.at(-1) : passed.at(-1))?.id);
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [prose]);
  return here;
}

/** Pixels below the top of the window: past the header, and where a heading stands that was gone to. */
const line = 96;
