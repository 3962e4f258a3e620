import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { ChooseRepositoriesDialog } from './ChooseRepositoriesDialog.tsx';

interface ChooseRepositoriesProps {
  label: string;
  variant: 'filled' | 'default';
}

/** The button that opens the repository selection. */
export function ChooseRepositories({ label, variant }: ChooseRepositoriesProps) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant={variant} leftSection={<IconPlus size={15} aria-hidden />} onClick={open}>
        {label}
      </Button>
      {/* Mounted on each opening, so that a canceled selection does not reappear. */}
      {opened && <ChooseRepositoriesDialog onClose={close} />}
    </>
  );
}
