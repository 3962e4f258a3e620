import { ActionIcon, Tooltip, UnstyledButton } from '@mantine/core';
import { IconBook2, IconMenu2, IconSearch } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { Keys } from '#ui/Keys.tsx';
import { Link } from '#ui/Link.tsx';
import { Mark } from '#ui/Logo.tsx';
import { ExtensionSummary } from './Extensions.tsx';
import s from './Header.module.css';
import { modKey } from './keyboard.ts';
import { OrganizationSelector } from './OrganizationSelector.tsx';
import { UserMenu } from './UserMenu.tsx';

export interface HeaderProps {
  organization: ComponentProps<typeof OrganizationSelector>;
  account: ComponentProps<typeof UserMenu>;
  documentationHref: string;
  /** The bell; undefined while notifications are disabled. */
  bell?: ReactNode;
  onPalette: () => void;
}

/** Organization on the left, help and user menu on the right; on narrow screens also the button for the sidebar. */
export const Header = ({
  organization,
  account,
  documentationHref,
  bell,
  onPalette,
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
      <PaletteButton onPalette={onPalette} />
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
      {bell}
      <UserMenu {...account} />
    </div>
  </header>
);

/** Opens the palette without its shortcut: a field in wide windows, an icon in narrow ones. */
const PaletteButton = ({ onPalette }: { onPalette: () => void }) => (
  <UnstyledButton className={s.palette ?? ''} aria-label="Search and commands" onClick={onPalette}>
    <IconSearch size={16} stroke={1.6} aria-hidden />
    <span className={s.paletteWords} aria-hidden>
      Search or go to <Keys keys={[modKey, 'K']} />
    </span>
  </UnstyledButton>
);
