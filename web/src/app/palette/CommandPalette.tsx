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

/** The palette and the shortcut sheet, each loaded on first use, with their keys. */
export function CommandPalette({ opened, onOpen, onClose, ...context }: CommandPaletteProps) {
  const { setColorScheme } = useMantineColorScheme();
  const { shown } = useShortcutSheet();
  // Once loaded they remain mounted, and return the focus to its origin.
  const [mounted, setMounted] = useState({ palette: false, sheet: false });
  if ((opened && !mounted.palette) || (shown && !mounted.sheet)) {
    setMounted({ palette: mounted.palette || opened, sheet: mounted.sheet || shown });
  }
  useGlobalKeys({ entries: context.entries, onPalette: onOpen });
  const fullContext: PaletteContext = {
    ...context,
    onTheme: setColorScheme,
    onShortcuts: showShortcuts,
    onCopyLink: () => void copyAddress(),
    onLogout: () => void signOut(),
  };
  return (
    <Suspense>
      {mounted.palette && <Palette context={fullContext} opened={opened} onClose={onClose} />}
      {mounted.sheet && <ShortcutSheet entries={context.entries} />}
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
