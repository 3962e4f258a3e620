import { Readable } from 'node:stream';
import type {
  FrameworkDetails,
  FrameworkFormat,
  FrameworkRequirement,
  FrameworkStatus,
} from '@sightline/contract/compliance/frameworks.ts';
import { statusLabels } from '@sightline/evidence/controls/verdicts.ts';
import type { CanonicalValue } from '@sightline/evidence/ledger/canonical.ts';
import type { Actor } from '#core/actor.ts';
import { recordAuditEntry } from '#core/audit.ts';
import { byteOrderMark, csvRow } from '#core/csv.ts';
import { Conflict } from '#core/errors.ts';
import type { FileAnswer } from '#core/route.ts';
import type { Services } from '#core/services.ts';
import { drawReport } from '../snapshots/report/draw.ts';
import { assessmentResultsOf } from './oscal-results.ts';
import { findFramework } from './queries.ts';

const files = {
  csv: { type: 'text/csv', extension: 'csv' },
  oscal: { type: 'application/json', extension: 'oscal.json' },
  pdf: { type: 'application/pdf', extension: 'pdf' },
} as const;

/** Exports a framework and records it. Throws 404, and 409 for a PDF without a compiler for this platform. */
export async function exportFile(
  services: Services,
  actor: Actor,
  id: string,
  { format, period }: { format: FrameworkFormat; period?: string | undefined },
): Promise<FileAnswer> {
  const { orgId } = actor;
  const { framework, organization } = await services.database.withOrg(orgId, async (tx) => {
    const found = await findFramework(tx, orgId, id, period);
    const entry = {
      action: 'framework.exported',
      subject: { kind: 'framework', id },
      data: { name: found.name, format, from: found.period.from, to: found.period.to },
    } as const;
    await recordAuditEntry(tx, { people: services.people, orgId, actor, entry });
    tx.afterCommit(() => services.realtime.notifyOrganization(orgId, 'orgAudit', {}));
    const of = await tx.db
      .selectFrom('organization')
      .select(['name', 'slug'])
      .where('id', '=', orgId)
      .executeTakeFirstOrThrow();
    return { framework: found, organization: of };
  });
  const { type, extension } = files[format];
  const content = await contentOf(format, framework, organization.name);
  return {
    file: Readable.from([content], { objectMode: false }),
    type,
    name: `framework-${framework.kind === 'built_in' ? id : 'imported'}-${organization.slug}-${framework.period.from.slice(0, 10)}.${extension}`,
    total: undefined,
  };
}

async function contentOf(format: FrameworkFormat, framework: FrameworkDetails, organization: string): Promise<Buffer> {
  const now = new Date();
  if (format === 'csv') return Buffer.from(csvOf(framework));
  if (format === 'oscal')
    return Buffer.from(`${JSON.stringify(assessmentResultsOf(framework, organization, now), null, 2)}\n`);
  const pdf = await drawReport({
    at: Math.floor(now.getTime() / 1000),
    template: 'framework',
    data: reportData(framework, organization, now),
  });
  if (!pdf) throw Conflict('This platform cannot create PDF files. Export CSV or OSCAL.');
  return Buffer.from(pdf);
}

const labelOf = (status: FrameworkStatus): string =>
  status === 'not_evaluated' ? 'Not evaluated' : statusLabels[status];

/** One line for each control of a requirement, and one for a requirement without any. */
function csvOf({ intervals, controls, rows }: FrameworkDetails): string {
  const byId = new Map(controls.map((control) => [control.id, control]));
  const head = [
    'Requirement',
    'Title',
    'Control',
    'Control title',
    'Rationale',
    'Status',
    ...intervals.starts,
    'Owner',
    'Due date',
    'Notes',
  ];
  const lines = rows.flatMap((row) => {
    const end = [row.owner?.name ?? '', row.dueOn ?? '', row.notes];
    if (row.controls.length === 0) {
      const cells = ['', '', row.gap ?? '', 'No control covers this requirement'];
      return [csvRow([row.id, row.title, ...cells, ...intervals.starts.map(() => ''), ...end])];
    }
    return row.controls.map(({ id, rationale }) => {
      const control = byId.get(id);
      const statuses = [control?.status ?? 'not_evaluated', ...(control?.history ?? [])].map(labelOf);
      return csvRow([row.id, row.title, id, control?.title ?? '', rationale, ...statuses, ...end]);
    });
  });
  return `${byteOrderMark}${csvRow(head)}${lines.join('')}`;
}

/** The data of `framework.typ`. */
function reportData(framework: FrameworkDetails, organization: string, at: Date): CanonicalValue {
  const { name, source, period, mapping, controls, rows } = framework;
  const byId = new Map(controls.map((control) => [control.id, control]));
  const controlLines = (row: FrameworkRequirement) =>
    row.controls.map(({ id, rationale }) => [
      id,
      byId.get(id)?.title ?? '',
      labelOf(byId.get(id)?.status ?? 'not_evaluated'),
      rationale,
    ]);
  return {
    name,
    organization,
    source,
    from: period.from.slice(0, 10),
    to: period.to.slice(0, 10),
    at: at.toISOString(),
    mapping: [
      ['Version', String(mapping.version)],
      ['SHA-256', mapping.sha256],
      ['Approved', mapping.approved ? `${mapping.approved.at} by ${mapping.approved.by.name}` : 'Not approved'],
    ],
    covered: rows
      .filter((row) => row.controls.length > 0)
      .map((row) => ({
        title: `${row.id} ${row.title}`,
        about: [
          ...(row.owner ? [`Owner: ${row.owner.name}.`] : []),
          ...(row.dueOn === null ? [] : [`Due ${row.dueOn}.`]),
          ...(row.notes === '' ? [] : [row.notes]),
        ].join(' '),
        controls: controlLines(row),
      })),
    gaps: rows.filter((row) => row.controls.length === 0).map((row) => [row.id, row.title, row.gap ?? '']),
    intervals: framework.intervals.starts,
    history: controls.map(({ id, history }) => [id, ...history.map((status) => marks[status])]),
  };
}

/** One letter for each status, so that a table of all weeks fits a page. */
const marks: Record<FrameworkStatus, string> = {
  passing: 'P',
  failing: 'F',
  missing_evidence: 'M',
  not_applicable: 'N',
  not_evaluated: '–',
};
