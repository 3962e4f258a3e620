import { Button, Menu } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';

interface ColumnSelectProps {
  /** The columns that can be hidden, in their order. */
  choices: readonly { key: string; label: string }[];
  shown: readonly string[];
  /** With the default columns, an empty list. */
  onChange: (shown: string[]) => void;
  /** For the toolbar of a table. */
  compact?: boolean;
}

/** Selects the columns of a list. The menu stays open, so that several can be changed. */
export const ColumnSelect = ({ choices, shown, onChange, compact = false }: ColumnSelectProps) => (
  <Menu position="bottom-end" width={224}>
    <Menu.Target>
      <Button
        {...(compact ? { variant: 'subtle', color: 'gray', size: 'compact-sm' } : { variant: 'default' })}
        leftSection={<IconColumns size={15} aria-hidden />}
      >
        Columns
      </Button>
    </Menu.Target>
    <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
      {choices.map(({ key, label }) => {
        const isShown = shown.includes(key);
        return (
          <Menu.CheckboxItem
            key={key}
            checked={isShown}
            onChange={(checked) =>
              onChange(choices.map((one) => one.key).filter((one) => (one === key ? checked : shown.includes(one))))
            }
          >
            {label}
          </Menu.CheckboxItem>
        );
      })}
    </Menu.Dropdown>
  </Menu>
);
