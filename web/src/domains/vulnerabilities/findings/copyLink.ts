import { toast } from '#ui/toast.ts';
import { findingLink } from './findingsQuery.ts';

/** Puts the address of a finding on the clipboard; where the browser keeps that to itself, shows it to be copied by hand. */
export async function copyLink(id: string): Promise<void> {
  const link = findingLink(id);
  try {
    await navigator.clipboard.writeText(link);
    toast.success('Link to this vulnerability copied.');
  } catch {
    toast.error(link, 'The browser denied access to the clipboard. Copy this link');
  }
}
