import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Announcer } from '#ui/Announcer.tsx';
import { SkipLink } from '#ui/SkipLink.tsx';
import { Header, type HeaderProps } from './Header.tsx';
import type { NavigationEntry, NavigationFlags } from './navigation.ts';
import s from './Shell.module.css';
import { Sidebar } from './Sidebar.tsx';

export interface ShellProps extends HeaderProps {
  /** The current pathname, which determines the current sidebar entry. */
  path: string;
  flags: NavigationFlags;
  /** Whether an entry leads to a screen that this role can see. */
  has: (entry: NavigationEntry) => boolean;
  /** Strips at the top: `EnvironmentStrip`, `ConnectionStrip`. */
  strips?: ReactNode;
  children: ReactNode;
}

const NavigationDrawer = lazy(() =>
  import('./NavigationDrawer.tsx').then((file) => ({ default: file.NavigationDrawer })),
);

/** The frame of every signed-in page. It renders its props and requests no data itself. */
export function Shell({ path, flags, has, strips, children, ...header }: ShellProps) {
  const [opened, setOpened] = useState(false);
  const [isDrawerMounted, setDrawerMounted] = useState(false);
  const open = () => {
    setDrawerMounted(true);
    setOpened(true);
  };
  const close = () => setOpened(false);
  return (
    <>
      <SkipLink />
      {strips}
      <div className={s.app}>
        <aside className={s.sidebar} aria-label="Sidebar">
          <Sidebar path={path} flags={flags} has={has} />
        </aside>
        <div className={s.column}>
          <Header {...header} onOpenSidebar={open} />
          <main id="main" className={s.main} tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
      {isDrawerMounted && (
        <Suspense>
          <NavigationDrawer opened={opened} onClose={close} path={path} flags={flags} has={has} />
        </Suspense>
      )}
      <Announcer />
    </>
  );
}
