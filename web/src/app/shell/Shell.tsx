import { Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Announcer } from '#ui/Announcer.tsx';
import { Header, type HeaderProps } from './Header.tsx';
import type { NavigationEntry, NavigationFlags } from './navigation.ts';
import s from './Shell.module.css';
import { Sidebar } from './Sidebar.tsx';

export interface ShellProps extends HeaderProps {
  /** The current pathname; marks the sidebar's entry. */
  path: string;
  flags: NavigationFlags;
  /** Whether an entry leads to a screen that this role sees. */
  has: (entry: NavigationEntry) => boolean;
  /** Strips above everything: `EnvironmentStrip`, `ConnectionStrip`. */
  strips?: ReactNode;
  children: ReactNode;
}

/** The frame of every signed-in page. It draws what it is given and asks for nothing itself. */
export function Shell({ path, flags, has, strips, children, ...header }: ShellProps) {
  const [drawer, { open, close }] = useDisclosure(false);
  return (
    <>
      <a className={s.skip} href="#main">
        Skip to content
      </a>
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
      <Drawer.Root
        opened={drawer}
        onClose={close}
        size={264}
        padding={0}
        classNames={{ content: s.drawer ?? '', close: s.close ?? '' }}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label="Navigation">
          <Drawer.CloseButton icon={<IconX size={18} aria-hidden />} aria-label="Close navigation" />
          <Sidebar path={path} flags={flags} has={has} onChoose={close} />
        </Drawer.Content>
      </Drawer.Root>
      <Announcer />
    </>
  );
}
