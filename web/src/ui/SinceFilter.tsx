import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { minuteText } from './time.ts';

interface SinceFilterProps {
  /** What the time limits: 'Discovered'. */
  name: string;
  /** ISO 8601; undefined renders nothing. */
  since: string | undefined;
  onRemove: () => void;
}

/** A lower limit of a time that a link has set, with its removal. */
export const SinceFilter = ({ name, since, onRemove }: SinceFilterProps) =>
  since !== undefined && (
    <Button
      variant="default"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={`Remove filter: ${sinceText(name, since)}`}
      onClick={onRemove}
    >
      {sinceText(name, since)}
    </Button>
  );

/** 'Discovered since 26 Nov 2026, 10:00'. */
export const sinceText = (name: string, since: string): string => `${name} since ${minuteText(Date.parse(since))}`;
