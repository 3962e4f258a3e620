import type {
  Exporter,
  ExporterDelivery,
  ExporterItem,
  ExporterKind,
} from '@sightline/contract/compliance/exporters.ts';
import type { Tone } from '#ui/StatusBadge.tsx';

export const exportersPath = '/evidence/exporters';
export const exporterHref = ({ id }: { id: string }): string => `${exportersPath}/${id}`;

export const unreachable = 'The server could not be reached. Check your connection.';

/** What each kind takes of a snapshot, for whoever chooses one. */
export const kindSays: Record<ExporterKind, string> = {
  vanta: 'Uploads the report and the results of the controls to a document of Vanta.',
  drata: 'Adds the report, the results and the bundle to the evidence library of Drata.',
  defectdojo: 'Imports the findings that were open as of the snapshot, a test for each repository.',
  gitlab: 'Tells an external control of a compliance framework whether each project passes.',
  webhook: 'Posts the numbers of a snapshot to an address, signed after Standard Webhooks.',
};

export const stateLooks: Record<Exporter['state'], readonly [Tone, string]> = {
  active: ['green', 'Active'],
  failing: ['red', 'Failing'],
  off: ['gray', 'Off'],
};

export const deliveryLooks: Record<ExporterDelivery['state'], readonly [Tone, string]> = {
  pending: ['blue', 'On its way'],
  sent: ['green', 'Sent'],
  failed: ['red', 'Failed'],
};

export const itemLooks: Record<ExporterItem['state'], readonly [Tone, string]> = {
  pending: ['blue', 'Waiting'],
  sent: ['green', 'Sent'],
  skipped: ['gray', 'Left out'],
  failed: ['red', 'Failed'],
};

/** Where it leads: 'api.vanta.com'. */
export function hostOf({ settings: { url } }: Pick<Exporter, 'settings'>): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : '';
}
