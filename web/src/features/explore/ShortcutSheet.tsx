import { Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Dialog } from '#ui/Dialog.tsx';
import s from './ShortcutSheet.module.css';
import type { Shortcuts } from './useTimelineKeys.ts';

/** What the keyboard does here, and how to keep single letters from doing it. */
export function ShortcutSheet({ sheet, setSheet, letters, setLetters }: Shortcuts) {
  // A dialog gives the focus back only if it was there, closed, before.
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(sheet), [sheet]);
  return (
    <Dialog title="Keyboard shortcuts" opened={opened} onClose={() => setSheet(false)}>
      <dl className={s.keys}>
        {shortcuts.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label="Single-key shortcuts"
        description="Turn them off where speech input or another tool types letters."
        checked={letters}
        onChange={({ currentTarget }) => setLetters(currentTarget.checked)}
      />
    </Dialog>
  );
}

const shortcuts: readonly (readonly [readonly string[], string])[] = [
  [['j'], 'Next event'],
  [['k'], 'Previous event'],
  [['Enter'], 'Show or hide details'],
  [['e'], 'Show ten more similar events, at last collapse them'],
  [['/'], 'Go to the filter'],
  [['Alt', 'Click'], 'Exclude a person or thing'],
  [['?'], 'Show this'],
];
