import { isPaused } from '@sightline/telemetry/pause.ts';
import { browser } from 'wxt/browser';
import { kept } from '../storage.ts';

/** Says on the toolbar's button, in words for who cannot see it, when nothing is sent: no extension should stop in silence. */
export async function showBadge(): Promise<void> {
  const { text, title } = await badge();
  await browser.action.setBadgeText({ text });
  await browser.action.setTitle({ title });
}

async function badge(): Promise<{ text: string; title: string }> {
  const signIn = await kept.get('signIn');
  if (signIn?.ended) return { text: '!', title: 'Sightline: sign in again' };
  if (!signIn) return { text: '', title: 'Sightline: signed out' };
  const isOff = isPaused((await kept.get('pause')) ?? null, Date.now());
  return isOff ? { text: 'II', title: 'Sightline: paused' } : { text: '', title: 'Sightline' };
}
