import { MAX_REPERFORMED_DIFFERENCES, type reperformControl } from '@sightline/contract/compliance/auditor-portals.ts';
import type { CallOutput } from '@sightline/contract/core/endpoint.ts';
import { catalogVersion } from '@sightline/evidence/controls/catalog.ts';
import type { EvaluatedRow } from '@sightline/evidence/controls/evidence-line.ts';
import { byCodeUnits } from '@sightline/evidence/controls/order.ts';
import { type CanonicalValue, canonicalJson } from '@sightline/evidence/ledger/canonical.ts';
import { recordAuditEntry } from '#core/audit.ts';
import type { PortalActor } from '#core/auditor-portals.ts';
import type { Services } from '#core/services.ts';
import { reevaluateSnapshot } from '../snapshots/commands.ts';
import { bundleWithControl, type ControlKey } from './portal-rows.ts';
import { actorOf, auditorPersonalDataOf, countWriting, lockOpenPortal } from './portal-visits.ts';

type Reperformance = CallOutput<typeof reperformControl>;

/**
 * Evaluates a control again from the facts of the ledger size of a snapshot, and compares each item with the bundle.
 * Throws 404 for a control that the snapshot did not evaluate, and 429.
 */
export async function reperform(services: Services, actor: PortalActor, key: ControlKey): Promise<Reperformance> {
  const { orgId, portal, requestId } = actor;
  const { withOrg } = services.database;
  const { snapshotId, controlId } = key;
  await withOrg(orgId, (tx) => countWriting(tx, portal.id));
  const bundle = await bundleWithControl(services, actor, key);
  const { at, facts, rows } = await withOrg(orgId, (tx) => reevaluateSnapshot(tx, orgId, snapshotId, controlId));
  const all = differencesOf(bundle.rows(controlId), rows);
  const before = bundle.control(controlId);
  const { population, pass, fail, waived, missing_evidence } = facts.counts;
  const result: Reperformance = {
    computedBy: services.config.PUBLIC_URL,
    computedAt: new Date().toISOString(),
    catalog: catalogVersion,
    ledger: { epoch: at.epoch, size: at.size },
    counts: { bundle: before.counts, again: { population, pass, fail, waived, missing_evidence } },
    rowsSha256: { bundle: before.rowsSha256, again: facts.rowsSha256 },
    total: all.length,
    differences: all.slice(0, MAX_REPERFORMED_DIFFERENCES),
  };
  await withOrg(orgId, async (tx) => {
    await lockOpenPortal(tx, actor);
    await recordAuditEntry(tx, {
      people: services.people,
      orgId,
      actor: actorOf({ portal, requestId }),
      entry: {
        action: 'portal.reperformed',
        subject: { kind: 'portal', id: portal.id },
        data: {
          name: portal.name,
          snapshot: snapshotId,
          control: controlId,
          differences: all.length,
          rows: facts.rowsSha256,
        },
        personal: auditorPersonalDataOf(portal),
      },
    });
  });
  return result;
}

/** Compares items by subject, in order of the subjects. */
function differencesOf(bundled: readonly EvaluatedRow[], again: readonly EvaluatedRow[]): Reperformance['differences'] {
  const [before, after] = [bySubject(bundled), bySubject(again)];
  const subjects = [...new Set([...before.keys(), ...after.keys()])].toSorted(byCodeUnits);
  return subjects.flatMap((subject) => {
    const [one, other] = [before.get(subject), after.get(subject)];
    const fields = one && other ? differingFields(one, other) : [];
    if (one && other && fields.length === 0) return [];
    return [{ subject, bundle: one?.verdict ?? null, again: other?.verdict ?? null, fields }];
  });
}

// As in a file, so that absent fields of both are the same.
const bySubject = (rows: readonly EvaluatedRow[]) =>
  new Map(rows.map((one) => [one.row.subject, JSON.parse(JSON.stringify(one)) as EvaluatedRow]));

function differingFields(one: EvaluatedRow, other: EvaluatedRow): string[] {
  const [before, after] = [one, other].map(({ row, ...result }) => ({ ...row, ...result }) as unknown as Fields);
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].filter((name) => textOf(before?.[name]) !== textOf(after?.[name])).toSorted(byCodeUnits);
}
type Fields = { readonly [name: string]: CanonicalValue | undefined };

const textOf = (value: CanonicalValue | undefined): string => (value === undefined ? '' : canonicalJson(value));
