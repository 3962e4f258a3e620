import type { DocPage } from 'virtual:user-docs';
import { Button, Drawer } from '@mantine/core';
import { IconMenu2, IconX } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useSession } from '#lib/session.ts';
import { legal } from '#lib/site.ts';
import { Announcer } from '#ui/Announcer.tsx';
import { Link } from '#ui/Link.tsx';
import { Wordmark } from '#ui/Logo.tsx';
import { SkipLink } from '#ui/SkipLink.tsx';
import s from './DocsFrame.module.css';
import { DocsSearch } from './DocsSearch.tsx';
import { PageList } from './PageList.tsx';

interface DocsFrameProps {
  pages: readonly DocPage[];
  /** The current page; undefined for an unknown address. */
  page: DocPage | undefined;
  children: ReactNode;
}

/** Page list, search and legal links. Outside the app shell, because visitors read it without an account. */
export function DocsFrame({ pages, page, children }: DocsFrameProps) {
  const signedIn = useSession() !== undefined;
  const [opened, setOpened] = useState(false);
  return (
    <>
      <SkipLink />
      <div className={s.app}>
        <aside className={s.sidebar} aria-label="Sidebar">
          <Brand />
          <PageList pages={pages} current={page?.name} />
        </aside>
        <div className={s.column}>
          <header className={s.header}>
            <Button
              className={s.burger ?? ''}
              variant="default"
              leftSection={<IconMenu2 size={16} aria-hidden />}
              onClick={() => setOpened(true)}
            >
              Pages
            </Button>
            <DocsSearch pages={pages} focused={page === undefined} />
            <nav className={s.onwards} aria-label="More">
              <a className={s.reference} href="/api/docs" target="_blank" rel="noreferrer">
                API reference<span className="vh">, opens in a new tab</span>
              </a>
              <Button variant="default" component={Link} href="/">
                {signedIn ? 'Open Sightline' : 'Sign in'}
              </Button>
            </nav>
          </header>
          <main id="main" className={s.main} tabIndex={-1}>
            {children}
          </main>
          <footer className={s.foot}>
            <a href={legal.terms}>Terms</a>
            <a href={legal.privacy}>Privacy notice</a>
            <a href={legal.contact}>Contact us</a>
          </footer>
        </div>
      </div>
      <Drawer.Root
        opened={opened}
        onClose={() => setOpened(false)}
        size={280}
        padding={0}
        classNames={{ content: s.drawer ?? '', close: s.close ?? '' }}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label="Pages">
          <Drawer.CloseButton icon={<IconX size={18} aria-hidden />} aria-label="Close page list" />
          <Brand />
          <PageList pages={pages} current={page?.name} onChoose={() => setOpened(false)} />
        </Drawer.Content>
      </Drawer.Root>
      <Announcer />
    </>
  );
}

const Brand = () => (
  <div className={s.brand}>
    <Link href="/">
      <Wordmark />
    </Link>
    <span className={s.docs}>Documentation</span>
  </div>
);
