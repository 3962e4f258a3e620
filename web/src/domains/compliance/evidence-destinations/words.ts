import type {
  Exporter,
  ExporterDelivery,
  ExporterItem,
  ExporterKind,
} from '@sightline/contract/compliance/evidence-destinations.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

export const exportersPath = '/evidence/exporters';
export const exporterHref = ({ id }: { id: string }): string => `${exportersPath}/${id}`;

export const unreachable = 'The server could not be reached. Check your connection.';

/** What each kind takes of a snapshot, for whoever chooses one. */
export const kindSays: Record<ExporterKind, string> = {
  vanta: 'Uploads the report and control results to a Vanta document.',
  drata: 'Adds the report, the results and the bundle to the Drata evidence library.',
  defectdojo: 'Imports the open findings of the snapshot, one test for each repository.',
  gitlab: 'Reports to an external control of a compliance framework whether each project passes.',
  webhook: 'Posts snapshot results to a URL, signed according to Standard Webhooks.',
};

export const stateLooks: Record<Exporter['state'], readonly [Tone, string]> = {
  active: ['green', 'Active'],
  failing: ['red', 'Failing'],
  off: ['gray', 'Disabled'],
};

export const deliveryLooks: Record<ExporterDelivery['state'], readonly [Tone, string]> = {
  pending: ['blue', 'Running'],
  sent: ['green', 'Sent'],
  failed: ['red', 'Failed'],
};

export const itemLooks: Record<ExporterItem['state'], readonly [Tone, string]> = {
  pending: ['blue', 'Queued'],
  sent: ['green', 'Sent'],
  skipped: ['gray', 'Skipped'],
  failed: ['red', 'Failed'],
};

/** Where it leads: 'api.vanta.com'. */
export function hostOf({ settings: { url } }: Pick<Exporter, 'settings'>): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : '';
}
