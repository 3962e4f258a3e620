import { type PortalRecordKind, portalRecordKinds } from '@sightline/contract/compliance/portal-records.ts';
import { LinkTabs } from '#ui/LinkTabs.tsx';
import { portalPageHref } from './usePortal.ts';

export const recordKindLabels: Record<PortalRecordKind, string> = {
  policies: 'Policies',
  waivers: 'Waivers',
  remediations: 'Remediations',
  digests: 'Commit digests',
  gaps: 'Missing evidence',
  definitions: 'Control definitions',
};

interface TabsProps {
  portalId: string;
  snapshotId: string;
  /** Undefined: the controls. */
  current: PortalRecordKind | undefined;
}

/** The pages of a snapshot: its controls, and each kind of record. */
export function SnapshotTabs({ portalId, snapshotId, current }: TabsProps) {
  const hrefOf = (kind: PortalRecordKind) => portalPageHref(portalId, 'snapshots', snapshotId, 'records', kind);
  const controls = portalPageHref(portalId, 'snapshots', snapshotId);
  return (
    <LinkTabs
      label="Snapshot"
      tabs={[
        { label: 'Controls', href: controls },
        ...portalRecordKinds.map((kind) => ({ label: recordKindLabels[kind], href: hrefOf(kind) })),
      ]}
      current={current === undefined ? controls : hrefOf(current)}
    />
  );
}
