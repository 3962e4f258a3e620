import type { TablerIcon } from '@tabler/icons-react';
import { Keys } from '#ui/Keys.tsx';
import s from './Palette.module.css';

export interface Item {
  value: string;
  label: string;
  detail: string;
  Icon: TablerIcon;
  keys: readonly string[];
  run: string | (() => void);
}

interface Props {
  id: string;
  item: Item;
  active: boolean;
  onPoint: () => void;
  onRun: () => void;
}

// The keyboard is the field's: it names the chosen option, and Enter there runs it.
export const PaletteRow = ({ id, item: { label, detail, Icon, keys }, active, onPoint, onRun }: Props) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: see above
  // biome-ignore lint/a11y/useFocusableInteractive: see above
  <div
    id={id}
    role="option"
    aria-selected={active}
    className={s.option}
    data-active={active || undefined}
    onMouseMove={() => active || onPoint()}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onRun}
  >
    <Icon size={16} stroke={1.6} aria-hidden />
    <span className={`truncate ${s.label}`}>{label}</span>
    {detail !== '' && <span className={`truncate ${s.detail}`}>{detail}</span>}
    {keys.length > 0 && (
      <span className={s.keys} aria-hidden>
        <Keys keys={keys} />
      </span>
    )}
  </div>
);
