import { Drawer } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import s from './Shell.module.css';
import { Sidebar, type SidebarProps } from './Sidebar.tsx';

interface NavigationDrawerProps extends SidebarProps {
  opened: boolean;
  onClose: () => void;
}

/** The sidebar of narrow screens. Loaded when first opened, since wide screens do not need it. */
export function NavigationDrawer({ opened, onClose, ...sidebar }: NavigationDrawerProps) {
  // The drawer must be mounted closed first, to know where to return the focus.
  const [drawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return (
    <Drawer.Root
      opened={opened && drawn}
      onClose={onClose}
      size={264}
      padding={0}
      classNames={{ content: s.drawer ?? '', close: s.close ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label="Navigation">
        <Drawer.CloseButton icon={<IconX size={18} aria-hidden />} aria-label="Close navigation" />
        <Sidebar {...sidebar} onChoose={onClose} />
      </Drawer.Content>
    </Drawer.Root>
  );
}
