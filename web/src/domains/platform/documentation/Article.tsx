import type { DocPage } from 'virtual:user-docs';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { type MouseEvent, useRef } from 'react';
import { trustDocumentation } from '#lib/trustedTypes.ts';
import { announce } from '#ui/announce.ts';
import { isPlainClick, Link, useNavigate } from '#ui/Link.tsx';
import { PageTitle } from '#ui/PageTitle.tsx';
import s from './Article.module.css';
import { TableOfContents } from './Contents.tsx';
import p from './Prose.module.css';
import { useAnchor } from './useAnchor.ts';

interface ArticleProps {
  page: DocPage;
  before: DocPage | undefined;
  after: DocPage | undefined;
}

/** One page: its text, its headings, and links to its neighbors. */
export function DocsArticle({ page, before, after }: ArticleProps) {
  const prose = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useAnchor(page);
  // React does not render the text, so one handler distinguishes its links and buttons. Keys trigger clicks too.
  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest<HTMLElement>('[data-copy]');
    if (button) return void copy(button);
    const href = event.target.closest('a')?.getAttribute('href');
    if (!href?.startsWith('/docs/') || !isPlainClick(event)) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <div className={s.page}>
      <article className={s.article}>
        <p className={s.group}>{page.group}</p>
        <PageTitle title={page.title} of="Documentation" className={s.title} />
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the click targets are links and buttons inside */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
        <div
          ref={prose}
          className={p.prose}
          onClick={onClick}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: generated at build time from files of this repository
          dangerouslySetInnerHTML={{ __html: trustDocumentation(page.html) }}
        />
        {(before || after) && (
          <nav className={s.neighbors} aria-label="Previous and next page">
            {before && (
              <Link href={`/docs/${before.name}`} className={s.before}>
                <span>
                  <IconArrowLeft size={14} aria-hidden /> Previous
                </span>
                {before.title}
              </Link>
            )}
            {after && (
              <Link href={`/docs/${after.name}`} className={s.after}>
                <span>
                  Next <IconArrowRight size={14} aria-hidden />
                </span>
                {after.title}
              </Link>
            )}
          </nav>
        )}
      </article>
      <TableOfContents page={page} prose={prose} />
    </div>
  );
}

/** Copies the code beside the button and shows 'Copied!' for 2 s, as every such button does. */
async function copy(button: HTMLElement): Promise<void> {
  await navigator.clipboard.writeText(button.parentElement?.querySelector('code')?.textContent ?? '');
  button.textContent = 'Copied!';
  announce('Copied!');
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2000);
}
