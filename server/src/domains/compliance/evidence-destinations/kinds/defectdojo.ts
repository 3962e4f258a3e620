import type { EvaluatedRow } from '@sightline/evidence/controls/evidence-line.ts';
import { completeValue } from '@sightline/evidence/controls/facts.ts';
import type { VulnerabilityRow } from '@sightline/evidence/controls/rows.ts';
import { createFormData } from '#core/outbound.ts';
import type { Item, Kind, SettingsOf } from '../kind.ts';
import { below, type ReceiverRequest } from '../receiver-client.ts';
import { findingIdOf, type SnapshotContent, type SnapshotRepository } from '../snapshot-content.ts';

const control = 'VUL-01';
const scanType = 'Generic Findings Import';
const keyOf = (repository: SnapshotRepository): string => `repository ${repository.id}`;

/**
 * Imports the findings that were open at a snapshot, with one test per repository. Another import updates the same
 * findings and closes those that are no longer open.
 */
export const defectdojo: Kind<SettingsOf<'defectdojo'>> = {
  replaces: true,
  items(snapshot, _settings, before) {
    const rows = snapshot.rows<VulnerabilityRow>(control) ?? [];
    const withFindings = new Set(rows.map(({ row }) => row.repository));
    // Includes repositories with earlier imports and no findings now, so that DefectDojo closes theirs.
    return snapshot.repositories
      .filter((one) => withFindings.has(one.id) || before.has(keyOf(one)))
      .map((one): Item => ({ key: keyOf(one), label: one.fullName }));
  },
  sender({ settings: { url, productType, product, engagement }, secret }, client) {
    client.redact(secret);
    const ask = (path: string, question: Omit<ReceiverRequest, 'url'>) =>
      client.request({
        ...question,
        url: below(url, `api/v2/${path}`),
        headers: { authorization: `Token ${secret}` },
        messages: {
          401: 'DefectDojo rejects this API token.',
          403: 'The user of this API token has no permission to import scan results there.',
        },
      });
    return {
      async test() {
        await ask('products/?limit=1', { method: 'GET' });
        return 'DefectDojo accepts the token.';
      },
      async send(snapshot, { key }) {
        const repository = snapshot.repositories.find((one) => keyOf(one) === key);
        const rows = snapshot.rows<VulnerabilityRow>(control);
        if (!repository) return { state: 'skipped', message: 'The repository is no longer enabled.' };
        if (!rows) return { state: 'skipped', message: `The snapshot does not include ${control}.` };
        const open = rows
          .filter(({ row }) => row.repository === repository.id && isOpen(row))
          .map((evaluated) => findingOf(snapshot, repository, evaluated));
        // In an incomplete population, a missing finding is not necessarily fixed.
        const closes = !snapshot.isIncomplete(control);
        const form = await createFormData();
        const fields = {
          scan_type: scanType,
          product_type_name: productType,
          product_name: product,
          engagement_name: engagement,
          auto_create_context: 'true',
          test_title: `Sightline ${repository.fullName}`,
          service: repository.fullName,
          scan_date: (snapshot.snapshot.takenAt ?? snapshot.manifest.period.to).slice(0, 10),
          minimum_severity: 'Info',
          verified: 'false',
          close_old_findings: String(closes),
        };
        for (const [name, value] of Object.entries(fields)) form.append(name, value);
        const content = JSON.stringify({ findings: open });
        form.append('file', new Blob([content], { type: 'application/json' }), 'findings.json');
        await ask('reimport-scan/', { method: 'POST', body: form });
        const count = open.length === 1 ? '1 finding' : `${open.length} findings`;
        return {
          state: 'sent',
          message: `${count}. ${closes ? 'Findings that are no longer open are closed.' : 'None is closed, because the population may be incomplete.'}`,
        };
      },
    };
  },
};

/** A finding whose fix is unknown counts as open. */
const isOpen = ({ fixedAt }: VulnerabilityRow): boolean => fixedAt.state === 'missing' || fixedAt.value === null;

const severities = { critical: 'Critical', high: 'High', medium: 'Medium', low: 'Low', info: 'Info' } as const;

/** Converts a finding to Generic Findings Import, which rejects unknown fields. */
function findingOf(
  snapshot: SnapshotContent,
  repository: SnapshotRepository,
  { row, verdict, reasons }: EvaluatedRow<VulnerabilityRow>,
) {
  const id = findingIdOf(row);
  const text = snapshot.findings.get(id);
  const severity = completeValue(row.severity);
  const href = new URL(`/vulnerabilities/${id}`, snapshot.href).href;
  const [cwe] = text?.cwes ?? [];
  return {
    title: text?.title.slice(0, 500) ?? `Finding ${id}`,
    // A missing severity must not rank below known ones.
    severity: severity ? severities[severity] : 'High',
    ...(severity === undefined && {
      severity_justification: 'No scanner reported a severity. Sent as High for review.',
    }),
    description: [
      `In ${repository.fullName}, as of the snapshot ${snapshot.manifest.name}. ${control}: ${verdict} (${reasons.join(', ')}).`,
      ...(row.fixedAt.state === 'missing' ? ['No recent scan confirms that it is still open.'] : []),
      ...(row.dismissal ? [`Dismissed as ${row.dismissal.reason}.`] : []),
      href,
    ].join('\n'),
    date: row.firstSeenAt.slice(0, 10),
    active: row.dismissal === null,
    verified: false,
    false_p: row.dismissal?.reason === 'false_positive',
    static_finding: true,
    dynamic_finding: false,
    unique_id_from_tool: id,
    references: href,
    service: repository.fullName,
    ...(text?.path != null && { file_path: text.path }),
    ...(text?.line != null && { line: text.line }),
    ...(cwe !== undefined && { cwe }),
  };
}
