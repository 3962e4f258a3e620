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
  /** The bell; undefined while there are no notifications. */
  bell?: ReactNode;
  onPalette: () => void;
}

/** Organization at the left, help and person at the right; on narrow screens the button that opens the sidebar. */
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

/** The way to the palette for whoever does not know its keys: a field in wide windows, an icon on a phone. */
const PaletteButton = ({ onPalette }: { onPalette: () => void }) => (
  <UnstyledButton className={s.palette ?? ''} aria-label="Search and commands" onClick={onPalette}>
    <IconSearch size={16} stroke={1.6} aria-hidden />
    <span className={s.paletteWords} aria-hidden>
      Search or go to <Keys keys={[modKey, 'K']} />
    </span>
  </UnstyledButton>
);
