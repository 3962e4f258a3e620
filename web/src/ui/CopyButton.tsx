import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { announce } from './announce.ts';

interface Props {
  value: string;
  /** What is copied: 'Copy link'. */
  label: string;
  /** Icon alone, the label in its tooltip. */
  compact?: boolean;
}

/** Copies, and says 'Copied!' for 2 s (spec 9). */
export function CopyButton({ value, label, compact = false }: Props) {
  const { copied, copy } = useClipboard({ timeout: 2000 });
  const words = copied ? 'Copied!' : label;
  const icon = copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />;
  const onClick = () => {
    copy(value);
    announce('Copied!');
  };
  if (!compact) {
    return (
      <Button variant="default" leftSection={icon} onClick={onClick}>
        {words}
      </Button>
    );
  }
  return (
    <Tooltip label={words}>
      <ActionIcon aria-label={words} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
