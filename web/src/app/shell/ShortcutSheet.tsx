import { Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { hideShortcuts, type ShortcutGroup, useLetterShortcutsEnabled, useShortcutSheet } from '#lib/shortcuts.ts';
import { Dialog } from '#ui/Dialog.tsx';
import { Keys } from '#ui/Keys.tsx';
import { modKey } from './keyboard.ts';
import type { NavigationEntry } from './navigation.ts';
import s from './ShortcutSheet.module.css';

/** The shortcuts of the current page and of all pages, and a switch for single-letter shortcuts. */
export function ShortcutSheet({ entries }: { entries: readonly NavigationEntry[] }) {
  const { groups, shown } = useShortcutSheet();
  const [letters, setLetters] = useLetterShortcutsEnabled();
  // A dialog returns the focus only if it was mounted closed before.
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(shown), [shown]);
  return (
    <Dialog title="Keyboard shortcuts" opened={opened} onClose={hideShortcuts} width={640}>
      <div className={s.groups}>
        {[...groups, everywhere, navigationShortcutGroup(entries)].map(({ title, shortcuts }) => (
          <section key={title}>
            <h3 className={s.title}>{title}</h3>
            <dl className={s.keys}>
              {shortcuts.map(([keys, does]) => (
                <div key={does}>
                  <dt>
                    <Keys keys={keys} />
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch
        label="Single-key shortcuts"
        description="Turn them off if speech input or another tool types letters."
        checked={letters}
        onChange={({ currentTarget }) => setLetters(currentTarget.checked)}
      />
    </Dialog>
  );
}

const everywhere: ShortcutGroup = {
  title: 'Everywhere',
  shortcuts: [
    [[modKey, 'K'], 'Search or run a command'],
    [['/'], 'Focus the search or filter of this page'],
    [['?'], 'Show this list'],
    [['Esc'], 'Close dialog or panel'],
  ],
};

const navigationShortcutGroup = (entries: readonly NavigationEntry[]): ShortcutGroup => ({
  title: 'Go to',
  shortcuts: entries.flatMap(({ letter, label }) => (letter === undefined ? [] : [[['g', letter], label] as const])),
});
