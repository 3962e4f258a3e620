import type { PortalRow } from '@sightline/contract/compliance/auditor-portals.ts';
import type { ControlId } from '@sightline/contract/core/control-ids.ts';
import { happenedAt } from '@sightline/evidence/bundle/evaluated-rows.ts';
import { remediationKey } from '@sightline/evidence/bundle/remediations.ts';
import type { EvaluatedRow } from '@sightline/evidence/controls/evidence-line.ts';
import { explainReason } from '@sightline/evidence/controls/reasons.ts';
import { NotFound } from '#core/errors.ts';
import type { Services } from '#core/services.ts';
import { type BundledChange, type OpenedBundle, openPortalBundle, type PortalScope } from './opened-bundle.ts';

export interface ControlKey {
  snapshotId: string;
  controlId: ControlId;
}

/**
 * Returns the bundle if the snapshot evaluated this control. Otherwise throws the same 404 as for an unknown snapshot.
 */
export async function bundleWithControl(services: Services, scope: PortalScope, { snapshotId, controlId }: ControlKey) {
  const bundle = await openPortalBundle(services, scope, snapshotId);
  if (!bundle.manifest.controls.includes(controlId)) throw NotFound();
  return bundle;
}

export interface PositionedRow {
  evaluated: EvaluatedRow;
  position: number;
}
export const withPositions = (rows: readonly EvaluatedRow[]): PositionedRow[] =>
  rows.map((evaluated, position) => ({ evaluated, position }));

export function rowOf(bundle: OpenedBundle, id: ControlId, { evaluated, position }: PositionedRow): PortalRow {
  const { row, verdict, reasons, setting } = evaluated;
  const change: BundledChange | undefined = row.leaf === null ? undefined : bundle.changes().get(row.leaf);
  return {
    position,
    subject: row.subject,
    verdict,
    setting,
    leaf: row.leaf,
    repository: row.repository,
    reasons: [...reasons],
    leaves: [...row.leaves],
    happenedAt: happenedAt(id, row),
    explanations: reasons.flatMap((reason) => explainReason(reason) ?? []),
    change: change ? row.leaf : null,
    title: change?.title ?? null,
    remediation: bundle.remediations().get(remediationKey(id, row.subject)) ?? null,
  };
}
