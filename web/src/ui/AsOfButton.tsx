import { Button, Popover } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { AsOfForm, type AsOfFormProps } from './AsOfForm.tsx';

/** Shows a list as the ledger recorded it at a time or size. */
export function AsOfButton({ asOf: { choose } }: { asOf: Pick<AsOfFormProps, 'choose'> }) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={288} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconHistory size={15} aria-hidden />}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          As of
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="As of">
        <AsOfForm choose={choose} onDone={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
