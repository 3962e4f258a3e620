import { Tooltip } from '@mantine/core';
import type { RepositoryListItem } from '@sightline/contract/sources/repositories.ts';
import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import s from './Repositories.module.css';

interface ScannerStatusProps {
  status: RepositoryListItem['scannerStatus'];
  /** Adds the noun if no column header provides it. */
  full?: boolean;
}

/** spec 4: healthy is active, everything else inactive. */
export function ScannerStatus({ status, full = false }: ScannerStatusProps) {
  const active = status === 'healthy';
  const Icon = active ? IconShieldCheck : IconShieldOff;
  return (
    <Tooltip label={active ? 'Scanner active' : 'Scanner not configured properly'}>
      <span className={s.scanner} data-active={active || undefined} data-full={full || undefined}>
        <Icon size={15} stroke={1.75} aria-hidden />
        <span>
          <span className={s.scannerWord}>Scanner </span>
          {active ? 'active' : 'inactive'}
        </span>
        {!active && <span className="vh">, not configured properly</span>}
      </span>
    </Tooltip>
  );
}
