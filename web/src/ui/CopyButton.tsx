import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconLink } from '@tabler/icons-react';
import { announce } from './announce.ts';

interface CopyButtonProps {
  value: string;
  /** The copied object: 'Copy link'. */
  label: string;
  /** Icon only, with the label in its tooltip. */
  compact?: boolean;
  /** A framed link with an icon of button size: for the URL of a page. */
  framed?: boolean;
}

/** Copies, and shows 'Copied!' for 2 s (spec 9). */
export function CopyButton({ value, label, compact = false, framed = false }: CopyButtonProps) {
  const { copied, copy } = useClipboard({ timeout: 2000 });
  const words = copied ? 'Copied!' : label;
  const Icon = copied ? IconCheck : framed ? IconLink : IconCopy;
  const icon = <Icon size={framed ? 16 : 15} aria-hidden />;
  const onClick = () => {
    copy(value);
    announce('Copied!');
  };
  if (!compact && !framed) {
    return (
      <Button variant="default" leftSection={icon} onClick={onClick}>
        {words}
      </Button>
    );
  }
  return (
    <Tooltip label={words}>
      <ActionIcon aria-label={words} onClick={onClick} {...(framed && { variant: 'default', size: 'lg' })}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
