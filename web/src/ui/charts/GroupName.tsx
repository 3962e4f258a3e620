import { UnstyledButton } from '@mantine/core';
import s from './GroupCharts.module.css';
import type { ChartGroup } from './groups.ts';

/** The name of a group, which filters by it. */
export const GroupName = ({ label, onSelect }: Pick<ChartGroup, 'label' | 'onSelect'>) =>
  onSelect ? (
    <UnstyledButton
      className={s.name ?? ''}
      title={`Filter by ${label} (Alt: exclude it)`}
      onClick={({ altKey }) => onSelect({ exclude: altKey })}
    >
      {label}
    </UnstyledButton>
  ) : (
    <span className={s.name}>{label}</span>
  );
