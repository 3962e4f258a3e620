import { Menu } from '@mantine/core';
import type { Finding } from '@sightline/contract/findings.ts';
import { offersFor } from './offers.ts';
import type { Triage } from './targets.ts';
import { useTriageRights } from './useTriageRights.ts';

interface Props {
  finding: Finding;
  onAsk: (triage: Triage) => void;
}

/** The entries of a row's menu that decide about its finding. */
export function RowTriage({ finding, onAsk }: Props) {
  const offers = offersFor([finding], useTriageRights());
  if (offers.length === 0) return null;
  return (
    <>
      <Menu.Divider />
      {offers.map(({ kind, label, Icon, findings }) => (
        <Menu.Item
          key={kind}
          leftSection={<Icon size={15} aria-hidden />}
          onClick={() => onAsk({ kind, targets: findings })}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  );
}
