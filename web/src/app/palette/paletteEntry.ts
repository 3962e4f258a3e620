import type { TablerIcon } from '@tabler/icons-react';

export interface PaletteEntry {
  id: string;
  label: string;
  /** Dimmed text beside the label. */
  detail: string;
  Icon: TablerIcon;
  href: string;
}
