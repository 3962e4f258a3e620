import { isPaused } from '@sightline/telemetry/pause.ts';
import { browser } from 'wxt/browser';
import { localState } from '../storage.ts';

/**
 * Shows on the toolbar button, with a text for screen readers, when no events are sent, so that failures are visible.
 */
export async function showBadge(): Promise<void> {
  const { text, title } = await badge();
  await browser.action.setBadgeText({ text });
  await browser.action.setTitle({ title });
}

async function badge(): Promise<{ text: string; title: string }> {
  const signIn = await localState.get('signIn');
  if (signIn?.ended) return { text: '!', title: 'Sightline: sign in again' };
  if (!signIn) return { text: '', title: 'Sightline: signed out' };
  const isRecordingPaused = isPaused((await localState.get('pause')) ?? null, Date.now());
  return isRecordingPaused ? { text: 'II', title: 'Sightline: paused' } : { text: '', title: 'Sightline' };
}
