import type { Alert } from '../alerts/alert.ts';
import { fullName, type Host, peopleOf } from '../host.ts';
import type { HostedRepository } from '../hosted-repository.ts';
import { accountJson, timeText } from './account.ts';

/** `isWhole`: includes the full rule description, which lists omit. `ref`: the shown instance. */
export const codeAlertJson = (
  host: Host,
  repository: HostedRepository,
  alert: Alert,
  { isWhole, ref }: { isWhole: boolean; ref: string },
) => {
  const { rule, tool } = alert;
  const instance = alert.instances.find((candidate) => candidate.ref === ref) ?? alert.instances[0];
  return {
    ...commonJson(host, repository, alert, 'code-scanning'),
    state: alert.state,
    fixed_at: alert.state === 'fixed' ? timeText(alert.updatedAt) : null,
    ...dismissalJson(host, alert),
    rule: {
      id: rule.id,
      name: rule.id,
      severity: rule.severity === 'low' ? 'warning' : 'error',
      security_severity_level: rule.severity,
      description: rule.title,
      tags: ['security', ...rule.cwes.map((cwe) => `external/cwe/cwe-${String(cwe).padStart(3, '0')}`)],
      ...(isWhole && { full_description: rule.description, help: `# ${rule.title}\n\n${rule.description}` }),
    },
    tool: { ...tool, guid: null },
    most_recent_instance: instance && instanceJson(alert, instance),
    instances_url: `${host.api}/repos/${fullName(repository)}/code-scanning/alerts/${alert.number}/instances`,
  };
};

export const instanceJson = (alert: Alert, { ref, commit, state }: Alert['instances'][number]) => ({
  ref,
  analysis_key: '.github/workflows/codeql.yml:analyze',
  environment: '{}',
  category: '.github/workflows/codeql.yml:analyze',
  state: alert.state === 'dismissed' ? 'dismissed' : state,
  commit_sha: commit,
  message: { text: 'A value that comes from outside ends here.' },
  location: { path: alert.path, start_line: alert.line, end_line: alert.line, start_column: 1, end_column: 2 },
  classifications: [],
});

export const dependencyAlertJson = (host: Host, repository: HostedRepository, alert: Alert) => {
  const { rule } = alert;
  const affected = rule.package ?? { ecosystem: 'npm', name: rule.id, affected: '< 1', fixedIn: '1' };
  const named = { ecosystem: affected.ecosystem, name: affected.name };
  const range = {
    package: named,
    severity: rule.severity,
    vulnerable_version_range: affected.affected,
    first_patched_version: { identifier: affected.fixedIn },
  };
  return {
    ...commonJson(host, repository, alert, 'dependabot'),
    state: alert.state,
    dependency: { package: named, manifest_path: alert.path, scope: 'runtime', relationship: 'direct' },
    security_advisory: {
      ghsa_id: rule.id,
      cve_id: null,
      summary: rule.title,
      description: rule.description,
      severity: rule.severity,
      identifiers: [{ type: 'GHSA', value: rule.id }],
      references: [{ url: `https://github.com/advisories/${rule.id}` }],
      published_at: timeText(alert.createdAt),
      updated_at: timeText(alert.createdAt),
      withdrawn_at: null,
      vulnerabilities: [range],
      cvss: { vector_string: null, score: 0 },
      cwes: rule.cwes.map((cwe) => ({ cwe_id: `CWE-${cwe}`, name: `CWE-${cwe}` })),
    },
    security_vulnerability: range,
    ...dismissalJson(host, alert),
    fixed_at: alert.state === 'fixed' ? timeText(alert.updatedAt) : null,
    auto_dismissed_at: null,
  };
};

/** The alert for an app with permission to read secrets; `hideSecret` is a parameter of the caller. */
export const secretAlertJson = (host: Host, repository: HostedRepository, alert: Alert, hideSecret: boolean) => {
  const { rule } = alert;
  const isOpen = alert.state === 'open';
  const self = `${host.api}/repos/${fullName(repository)}/secret-scanning/alerts/${alert.number}`;
  return {
    ...commonJson(host, repository, alert, 'secret-scanning'),
    locations_url: `${self}/locations`,
    state: isOpen ? 'open' : 'resolved',
    resolution: isOpen ? null : resolutionOf(alert),
    resolved_at: isOpen ? null : timeText(alert.updatedAt),
    resolved_by: isOpen ? null : firstUserJson(host),
    resolution_comment: alert.comment,
    secret_type: rule.id,
    secret_type_display_name: rule.title,
    ...(hideSecret ? {} : { secret: secretOf(alert) }),
    validity: 'unknown',
    publicly_leaked: false,
    multi_repo: false,
    push_protection_bypassed: false,
  };
};

export const locationJson = (host: Host, repository: HostedRepository, alert: Alert) => ({
  type: 'commit',
  details: {
    path: `/${alert.path}`,
    start_line: alert.line,
    end_line: alert.line,
    start_column: 1,
    end_column: 20,
    commit_sha: alert.instances[0]?.commit ?? '',
    commit_url: `${host.api}/repos/${fullName(repository)}/git/commits/${alert.instances[0]?.commit}`,
  },
});

/** A fictitious secret, recognizable in places where it must not occur. */
export const secretOf = ({ number }: Alert): string =>
  `sandbox_api_key_NOT_A_SECRET_${String(number).padStart(6, '0')}`;

const resolutionOf = ({ state, reason }: Alert): string =>
  state === 'fixed' ? 'revoked' : (reason ?? 'false positive').replaceAll(/[ -]/g, '_').replaceAll("'", '');

const commonJson = (host: Host, repository: HostedRepository, { number, ...alert }: Alert, part: string) => ({
  number,
  created_at: timeText(alert.createdAt),
  updated_at: timeText(alert.updatedAt),
  url: `${host.api}/repos/${fullName(repository)}/${part}/alerts/${number}`,
  html_url: `${host.url}/${fullName(repository)}/security/${part}/${number}`,
});

const dismissalJson = (host: Host, { state, reason, comment, updatedAt }: Alert) => {
  const isDismissed = state === 'dismissed';
  return {
    dismissed_by: isDismissed ? firstUserJson(host) : null,
    dismissed_at: isDismissed ? timeText(updatedAt) : null,
    dismissed_reason: isDismissed ? reason : null,
    dismissed_comment: isDismissed ? comment : null,
  };
};

const firstUserJson = (host: Host) => {
  const [user] = peopleOf(host);
  return user === undefined ? null : accountJson(host, user);
};
