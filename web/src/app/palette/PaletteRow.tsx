import type { TablerIcon } from '@tabler/icons-react';
import { Keys } from '#ui/Keys.tsx';
import { SearchOption } from '#ui/SearchOption.tsx';
import s from './Palette.module.css';

export interface Item {
  value: string;
  label: string;
  detail: string;
  Icon: TablerIcon;
  keys: readonly string[];
  run: string | (() => void);
}

interface PaletteRowProps {
  id: string;
  item: Item;
  active: boolean;
  onPoint: () => void;
  onRun: () => void;
}

export const PaletteRow = ({ id, item: { label, detail, Icon, keys }, active, onPoint, onRun }: PaletteRowProps) => (
  <SearchOption id={id} active={active} onPoint={onPoint} onRun={onRun} className={s.option}>
    <Icon size={16} stroke={1.6} aria-hidden />
    <span className={`truncate ${s.label}`}>{label}</span>
    {detail !== '' && <span className={`truncate ${s.detail}`}>{detail}</span>}
    {keys.length > 0 && (
      <span className={s.keys} aria-hidden>
        <Keys keys={keys} />
      </span>
    )}
  </SearchOption>
);
