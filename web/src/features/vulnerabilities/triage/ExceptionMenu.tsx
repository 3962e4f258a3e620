import { Menu } from '@mantine/core';
import type { ListedException } from '@sightline/contract/triage.ts';
import { IconArrowBackUp, IconArrowRight, IconCheck, IconX, type TablerIcon } from '@tabler/icons-react';
import { Link } from '#ui/Link.tsx';
import { RowMenu } from '#ui/RowMenu.tsx';
import type { Triage } from './targets.ts';

interface Props {
  exception: ListedException;
  onAsk: (triage: Triage) => void;
}

/** What may be done with an exception of the list. */
export function ExceptionMenu({ exception, onAsk }: Props) {
  const { finding, allowed } = exception;
  const entries: [boolean, 'approve' | 'refuse' | 'withdraw', string, TablerIcon][] = [
    [allowed.decide, 'approve', 'Approve', IconCheck],
    [allowed.decide, 'refuse', 'Refuse', IconX],
    [allowed.withdraw, 'withdraw', 'Withdraw request', IconArrowBackUp],
  ];
  return (
    <RowMenu label={`Actions for the exception of ${finding.title}`}>
      <Menu.Item
        component={Link}
        href={`/vulnerabilities/${finding.id}`}
        leftSection={<IconArrowRight size={15} aria-hidden />}
      >
        Open the vulnerability
      </Menu.Item>
      {entries.map(
        ([may, kind, label, Icon]) =>
          may && (
            <Menu.Item
              key={kind}
              leftSection={<Icon size={15} aria-hidden />}
              onClick={() => onAsk({ kind, target: finding, exception })}
            >
              {label}
            </Menu.Item>
          ),
      )}
    </RowMenu>
  );
}
