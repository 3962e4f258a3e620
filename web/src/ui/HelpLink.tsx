import { ActionIcon, Tooltip } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';

interface HelpLinkProps {
  /** A page of the documentation. */
  href: string;
  /** What it explains: 'Explore'. */
  about: string;
}

/** The way to the documentation of what it stands beside; whoever reads it does not lose their place. */
export const HelpLink = ({ href, about }: HelpLinkProps) => (
  <Tooltip label={`About ${about}`}>
    <ActionIcon
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer"
      aria-label={`About ${about}, opens in a new tab`}
    >
      <IconHelpCircle size={16} stroke={1.6} aria-hidden />
    </ActionIcon>
  </Tooltip>
);
