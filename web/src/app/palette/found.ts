import type { TablerIcon } from '@tabler/icons-react';

export interface PaletteEntry {
  id: string;
  label: string;
  /** Beside the label, dimmed. */
  detail: string;
  Icon: TablerIcon;
  href: string;
}
