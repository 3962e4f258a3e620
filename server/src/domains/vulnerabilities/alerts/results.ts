import type { FindingCategory } from '@sightline/contract/core/finding-categories.ts';
import { severity } from '@sightline/contract/core/severities.ts';
import type { DismissReason } from '@sightline/contract/vulnerabilities/triage.ts';
import type { ScannerResult } from '#providers/scanner.ts';
import { categoryOf } from '#providers/scanner-categories.ts';
import { codeOf, cweOf } from '#providers/scanner-codes.ts';
import type { HostAlert } from '../../../providers/host-facts.ts';

/** Converts an alert of a code host to a result. */
export const resultOfAlert = (alert: HostAlert): ScannerResult => ({
  ruleId: alert.rule.id,
  ruleName: alert.rule.name,
  title: alert.rule.title,
  description: alert.rule.description,
  message: alert.message,
  ...severityOf(alert),
  category: kindOf(alert),
  cwes: alert.cwes,
  codes: [...alert.cwes.map(cweOf), ...alert.codes.map(({ kind, id }) => codeOf(kind, id))],
  path: alert.path,
  line: alert.line,
  endLine: alert.endLine,
  snippet: null,
  // The number of an alert does not depend on the location of the code.
  content: `alert ${alert.number}`,
  flow: [],
  package: alert.package && { ...alert.package, version: null },
  references: alert.references,
  compliances: [],
  discoveredAt: alert.createdAt,
  state: alert.state === 'dismissed' ? 'suppressed' : alert.state,
  suppressed: alert.dismissed && { reason: reasonOf(alert.dismissed.reason), comment: alert.dismissed.comment },
  commit: alert.commit,
  scannerReference: { url: alert.url, number: String(alert.number) },
});

/** Medium if the host reports no severity or an unknown one. */
function severityOf(alert: HostAlert): Pick<ScannerResult, 'severity' | 'severityTold'> {
  const parsed = severity.safeParse(alert.severity?.toLowerCase().replace('moderate', 'medium'));
  return parsed.success ? { severity: parsed.data } : { severity: 'medium', severityTold: false };
}

function kindOf({ kind, tool, rule, path }: HostAlert): FindingCategory {
  if (kind === 'dependabot') return 'sca';
  if (kind === 'secret_scanning') return 'secret';
  const { tags } = rule;
  const ruleName = rule.name ?? rule.id;
  return categoryOf({ tool: tool.name.toLowerCase(), ruleName, tags, path, image: false, hasPackage: false });
}

/** Maps GitHub's reason of a dismissal or resolution to a dismiss reason. Unknown reasons stay unchanged. */
const reasonOf = (reason: string): string => reasons[reason.toLowerCase().replaceAll(/[\s']+/g, '_')] ?? reason;

const reasons: Readonly<Record<string, DismissReason>> = {
  false_positive: 'false_positive',
  pattern_deleted: 'false_positive',
  pattern_edited: 'false_positive',
  inaccurate: 'false_positive',
  won_t_fix: 'will_not_fix',
  wont_fix: 'will_not_fix',
  tolerable_risk: 'will_not_fix',
  no_bandwidth: 'will_not_fix',
  fix_started: 'mitigated',
  not_used: 'not_exploitable',
  used_in_tests: 'used_in_tests',
};
