import { MAX_REPERFORMED_DIFFERENCES, type reperformControl } from '@sightline/contract/compliance/auditor-portals.ts';
import type { CallOutput } from '@sightline/contract/core/endpoint.ts';
import { catalogVersion } from '@sightline/evidence/controls/catalog.ts';
import type { EvaluatedRow, ExcludedPopulationRow } from '@sightline/evidence/controls/evidence-line.ts';
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
 * Evaluates a control again from the facts of the ledger size of a snapshot, and compares each item with the bundle,
 * also those that parameters excluded. Throws 404 for a control that the snapshot did not evaluate, and 429.
 */
export async function reperform(services: Services, actor: PortalActor, key: ControlKey): Promise<Reperformance> {
  const { orgId, portal, requestId } = actor;
  const { withOrg } = services.database;
  const { snapshotId, controlId } = key;
  await withOrg(orgId, (tx) => countWriting(tx, portal.id));
  const bundle = await bundleWithControl(services, actor, key);
  const { at, facts, rows, excluded } = await withOrg(orgId, (tx) =>
    reevaluateSnapshot(tx, orgId, snapshotId, controlId),
  );
  const bundled = { rows: bundle.rows(controlId), excluded: bundle.excluded(controlId) };
  const all = differencesOf(bundled, { rows, excluded });
  const before = bundle.control(controlId);
  const { population, pass, fail, waived, missing_evidence } = facts.counts;
  const result: Reperformance = {
    computedBy: services.config.PUBLIC_URL,
    computedAt: new Date().toISOString(),
    catalog: catalogVersion,
    ledger: { epoch: at.epoch, size: at.size },
    counts: { bundle: before.counts, again: { population, pass, fail, waived, missing_evidence } },
    excluded: { bundle: bundled.excluded.length, again: excluded.length },
    rowsSha256: { bundle: before.rowsSha256, again: facts.rowsSha256 },
    excludedSha256: { bundle: before.excludedSha256, again: facts.excludedSha256 },
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
          excluded: facts.excludedSha256,
        },
        personal: auditorPersonalDataOf(portal),
      },
    });
  });
  return result;
}

interface Items {
  rows: readonly EvaluatedRow[];
  excluded: readonly ExcludedPopulationRow[];
}

/** The fields of an evaluated or excluded item, with its verdict or that it is excluded. */
interface Item {
  outcome: EvaluatedRow['verdict'] | 'excluded';
  fields: Fields;
}

/** Compares items by subject, in order of the subjects. */
function differencesOf(bundled: Items, again: Items): Reperformance['differences'] {
  const [before, after] = [bySubject(bundled), bySubject(again)];
  const subjects = [...new Set([...before.keys(), ...after.keys()])].toSorted(byCodeUnits);
  return subjects.flatMap((subject) => {
    const [one, other] = [before.get(subject), after.get(subject)];
    const fields = one && other ? differingFields(one.fields, other.fields) : [];
    if (one && other && one.outcome === other.outcome && fields.length === 0) return [];
    return [{ subject, bundle: one?.outcome ?? null, again: other?.outcome ?? null, fields }];
  });
}

const bySubject = ({ rows, excluded }: Items): ReadonlyMap<string, Item> =>
  new Map<string, Item>([
    ...rows.map((one) => [one.row.subject, { outcome: one.verdict, fields: fieldsOf(one) }] as const),
    ...excluded.map((one) => [one.row.subject, { outcome: 'excluded' as const, fields: fieldsOf(one) }] as const),
  ]);

// As in a file, so that absent fields of both are the same.
const fieldsOf = ({ row, ...result }: EvaluatedRow | ExcludedPopulationRow): Fields =>
  JSON.parse(JSON.stringify({ ...row, ...result })) as Fields;

function differingFields(before: Fields, after: Fields): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => textOf(before[name]) !== textOf(after[name])).toSorted(byCodeUnits);
}
type Fields = { readonly [name: string]: CanonicalValue | undefined };

const textOf = (value: CanonicalValue | undefined): string => (value === undefined ? '' : canonicalJson(value));
