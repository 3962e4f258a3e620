import type {
  EvidenceDelivery,
  EvidenceDestination,
  EvidenceDestinationKind,
  EvidenceItem,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

/** The content that each kind receives from a snapshot, for the dialog in which one is chosen. */
export const kindDescriptions: Record<EvidenceDestinationKind, string> = {
  vanta: 'Uploads the report and control results to a Vanta document.',
  drata: 'Adds the report, the results and the bundle to the Drata evidence library.',
  defectdojo: 'Imports the open findings of the snapshot, one test for each repository.',
  gitlab: 'Reports to an external control of a compliance framework whether each project passes.',
  webhook: 'Posts snapshot results to a URL, signed according to Standard Webhooks.',
};

export const destinationStateBadges: Record<EvidenceDestination['state'], readonly [Tone, string]> = {
  active: ['green', 'Active'],
  failing: ['red', 'Failing'],
  off: ['gray', 'Disabled'],
};

export const deliveryStateBadges: Record<EvidenceDelivery['state'], readonly [Tone, string]> = {
  pending: ['blue', 'Running'],
  sent: ['green', 'Sent'],
  failed: ['red', 'Failed'],
};

export const deliveryItemBadges: Record<EvidenceItem['state'], readonly [Tone, string]> = {
  pending: ['blue', 'Queued'],
  sent: ['green', 'Sent'],
  skipped: ['gray', 'Skipped'],
  failed: ['red', 'Failed'],
};

/** The host that receives the deliveries: 'api.vanta.com'. */
export function hostOf({ settings: { url } }: Pick<EvidenceDestination, 'settings'>): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : '';
}
