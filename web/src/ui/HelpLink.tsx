import { ActionIcon, Tooltip } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';

interface HelpLinkProps {
  /** A documentation page. */
  href: string;
  /** The explained subject: 'Explore'. */
  about: string;
}

/** A link to the documentation of the adjacent element, in a new tab. */
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
