import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import {
  IconApps,
  IconBug,
  IconEyeCheck,
  IconFileCheck,
  IconGitMerge,
  IconListDetails,
  IconPlugConnected,
  IconRadar2,
  IconSparkles,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';

/** Shows the topic of a control, which its ID starts with. */
export function ControlIcon({ id, size = 18 }: { id: ControlId; size?: number }) {
  const Icon = icons[id.slice(0, id.indexOf('-'))] ?? IconFileCheck;
  return <Icon size={size} stroke={1.6} aria-hidden />;
}

const icons: Readonly<Record<string, TablerIcon>> = {
  CHG: IconGitMerge,
  SCN: IconRadar2,
  VUL: IconBug,
  EXC: IconEyeCheck,
  TOL: IconApps,
  COV: IconPlugConnected,
  ACC: IconUsers,
  AI: IconSparkles,
  LOG: IconListDetails,
  DIG: IconFileCheck,
};
