import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBook2, IconMenu2 } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { Link } from '#ui/Link.tsx';
import { Mark } from '#ui/Logo.tsx';
import { ExtensionSummary } from './Extensions.tsx';
import s from './Header.module.css';
import { OrganizationSelector } from './OrganizationSelector.tsx';
import { UserMenu } from './UserMenu.tsx';

export interface HeaderProps {
  organization: ComponentProps<typeof OrganizationSelector>;
  account: ComponentProps<typeof UserMenu>;
  documentationHref: string;
}

/** Organization at the left, help and person at the right; on narrow screens the button that opens the sidebar. */
export const Header = ({
  organization,
  account,
  documentationHref,
  onOpenSidebar,
}: HeaderProps & { onOpenSidebar: () => void }) => (
  <header className={s.header}>
    <ActionIcon className={s.burger ?? ''} size="lg" aria-label="Open navigation" onClick={onOpenSidebar}>
      <IconMenu2 size={18} aria-hidden />
    </ActionIcon>
    <Link className={s.mark} href="/" aria-label="Sightline, home">
      <Mark />
    </Link>
    <OrganizationSelector {...organization} />
    <div className={s.tools}>
      {account.extensions && <ExtensionSummary extensions={account.extensions} getHref={account.getExtensionsHref} />}
      <Tooltip label="Documentation">
        <ActionIcon
          className={s.wide ?? ''}
          size="lg"
          component="a"
          href={documentationHref}
          target="_blank"
          rel="noreferrer"
          aria-label="Documentation, opens in a new tab"
        >
          <IconBook2 size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <UserMenu {...account} />
    </div>
  </header>
);
