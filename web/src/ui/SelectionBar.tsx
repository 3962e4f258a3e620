import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import s from './Selection.module.css';

interface SelectionBarProps {
  /** The kind of rows: 'vulnerabilities'. */
  noun: string;
  selection: {
    chosen: ReadonlyMap<string, unknown>;
    everything: boolean;
    setEverything: () => void;
    clear: () => void;
  };
  /** The number of rows that match the filters. */
  total: number;
  /** The largest number of rows that an action accepts; undefined: only the selected rows. */
  maxTotal?: number;
  /** The actions. */
  children: ReactNode;
}

/** Offers actions on all selected rows at the bottom of the window. Renders nothing without a selection. */
export function SelectionBar({ noun, selection, total, maxTotal = 0, children }: SelectionBarProps) {
  const count = selection.everything ? total : selection.chosen.size;
  if (count === 0) return null;
  return (
    <section className={s.bar} aria-label={`Selected ${noun}`}>
      <span className={s.count} role="status">
        {selection.everything ? `All ${number.format(count)} selected` : `${number.format(count)} selected`}
      </span>
      <div className={s.deeds}>
        {!selection.everything && count < total && total <= maxTotal && (
          <Button variant="subtle" onClick={selection.setEverything}>
            Select all {number.format(total)}
          </Button>
        )}
        {children}
      </div>
      <ActionIcon aria-label="Clear the selection" onClick={selection.clear}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </section>
  );
}

const number = new Intl.NumberFormat('en-GB');
