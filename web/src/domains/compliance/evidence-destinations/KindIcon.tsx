import type { EvidenceDestinationKind } from '@sightline/contract/compliance/evidence-destinations.ts';
import {
  IconBrandGitlab,
  IconBug,
  IconClipboardCheck,
  IconFileCertificate,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';

const icons: Record<EvidenceDestinationKind, TablerIcon> = {
  vanta: IconClipboardCheck,
  drata: IconFileCertificate,
  defectdojo: IconBug,
  gitlab: IconBrandGitlab,
  webhook: IconWebhook,
};

export function KindIcon({ kind, size = 18 }: { kind: EvidenceDestinationKind; size?: number }) {
  const Icon = icons[kind];
  return <Icon size={size} stroke={1.5} aria-hidden />;
}
