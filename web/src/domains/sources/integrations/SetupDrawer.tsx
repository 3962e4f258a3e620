import { Drawer } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { HelpLink } from '#ui/HelpLink.tsx';
import { useReturnedFocus } from '#ui/useReturnedFocus.ts';
import { requirementsHrefOf } from './helpLinks.ts';
import { IntegrationLogo } from './IntegrationLogo.tsx';
import s from './Setup.module.css';

interface SetupDrawerProps {
  /** The name of the logo: 'gitlab'. */
  mark: string;
  title: string;
  opened: boolean;
  onClose: () => void;
  /** Whether the form has input. A click beside the drawer must not discard a pasted secret. */
  dirty?: boolean;
  /** Whether no form takes the focus. Then the title receives it instead of the help link. */
  formless?: boolean;
  children: ReactNode;
}

/** The drawer that connects an integration, on top of the current page. */
export function SetupDrawer({
  mark,
  title,
  opened,
  onClose,
  dirty = false,
  formless = false,
  children,
}: SetupDrawerProps) {
  const help = requirementsHrefOf(mark);
  useReturnedFocus(opened);
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position="right"
      size={440}
      transitionProps={{ duration: 120 }}
      closeOnClickOutside={!dirty}
      classNames={{ content: s.content ?? '', body: s.frame ?? '' }}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <div className={s.head}>
          <IntegrationLogo name={mark} />
          <Drawer.Title className={s.title ?? ''} tabIndex={-1} data-autofocus={formless || undefined}>
            {title}
          </Drawer.Title>
          {help !== undefined && <HelpLink href={help} about="required permissions" />}
          <Drawer.CloseButton aria-label="Close" icon={<IconX size={16} aria-hidden />} />
        </div>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
