import { toast } from '#ui/toast.ts';
import { findingLink } from './findingsQuery.ts';

/** Copies the address of a finding. If the browser denies clipboard access, shows it to be copied manually. */
export async function copyLink(id: string): Promise<void> {
  const link = findingLink(id);
  try {
    await navigator.clipboard.writeText(link);
    toast.success('Link to this vulnerability copied.');
  } catch {
    toast.error(link, 'The browser denied access to the clipboard. Copy this link');
  }
}
