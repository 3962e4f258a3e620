import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';

interface ValueFilterProps {
  /** The filtered field: 'Component'. */
  name: string;
  values: readonly string[];
  /** Whether the values are names rather than IDs. */
  named?: boolean;
  onRemove: () => void;
}

/** A filter that only links set. It shows its values, and a click removes it. Renders nothing without values. */
export function ValueFilter({ name, values, named = false, onRemove }: ValueFilterProps) {
  if (values.length === 0) return null;
  const text = named
    ? `${name}: ${values.join(', ')}`
    : values.length === 1
      ? `One ${name.toLowerCase()}`
      : `${values.length} ${name.toLowerCase()}s`;
  return (
    <Button
      variant="default"
      maw={320}
      rightSection={<IconX size={13} aria-hidden />}
      aria-label={`Remove filter: ${text}`}
      onClick={onRemove}
    >
      {text}
    </Button>
  );
}
