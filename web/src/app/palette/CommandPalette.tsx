import { useMantineColorScheme } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { showShortcuts, useShortcutSheet } from '#lib/shortcuts.ts';
import { signOut } from '#lib/sign-in.ts';
import { toast } from '#ui/toast.ts';
import { useGlobalKeys } from '../shell/keyboard.ts';
import type { PaletteContext } from './screens.ts';

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));
const ShortcutSheet = lazy(async () => ({ default: (await import('../shell/ShortcutSheet.tsx')).ShortcutSheet }));

interface CommandPaletteProps extends Omit<PaletteContext, 'onTheme' | 'onShortcuts' | 'onCopyLink' | 'onLogout'> {
  opened: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** The palette and the sheet of shortcuts, each fetched when it is first wanted, and the keys that open them. */
export function CommandPalette({ opened, onOpen, onClose, ...context }: CommandPaletteProps) {
  const { setColorScheme } = useMantineColorScheme();
  const { shown } = useShortcutSheet();
  // Once there they stay, and give the focus back to where it came from.
  const [wanted, setWanted] = useState({ palette: false, sheet: false });
  if ((opened && !wanted.palette) || (shown && !wanted.sheet)) {
    setWanted({ palette: wanted.palette || opened, sheet: wanted.sheet || shown });
  }
  useGlobalKeys({ entries: context.entries, onPalette: onOpen });
  const whole: PaletteContext = {
    ...context,
    onTheme: setColorScheme,
    onShortcuts: showShortcuts,
    onCopyLink: () => void copyAddress(),
    onLogout: () => void signOut(),
  };
  return (
    <Suspense>
      {wanted.palette && <Palette context={whole} opened={opened} onClose={onClose} />}
      {wanted.sheet && <ShortcutSheet entries={context.entries} />}
    </Suspense>
  );
}

async function copyAddress(): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    toast.success('Copied!');
  } catch {
    toast.error('The browser did not let the link be copied. Copy it from the address bar.');
  }
}
