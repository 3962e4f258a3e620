import type { Category } from '@sightline/contract/core/finding-categories.ts';
import { severity } from '@sightline/contract/core/severities.ts';
import type { DismissReason } from '@sightline/contract/vulnerabilities/triage.ts';
import type { Result } from '#providers/scanner.ts';
import { categoryOf } from '#providers/scanner-categories.ts';
import { codeOf, cweOf } from '#providers/scanner-codes.ts';
import type { HostAlert } from '../../../providers/host-facts.ts';

/** An alert of a code host in the form that findings are made of. */
export const resultOf = (alert: HostAlert): Result => ({
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
  // It keeps its number wherever the code goes.
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

/** Medium where the host tells none, or one that nobody knows. */
function severityOf(alert: HostAlert): Pick<Result, 'severity' | 'severityTold'> {
  const told = severity.safeParse(alert.severity?.toLowerCase().replace('moderate', 'medium'));
  return told.success ? { severity: told.data } : { severity: 'medium', severityTold: false };
}

function kindOf({ kind, tool, rule, path }: HostAlert): Category {
  if (kind === 'dependabot') return 'sca';
  if (kind === 'secret_scanning') return 'secret';
  const { tags } = rule;
  const ruleName = rule.name ?? rule.id;
  return categoryOf({ tool: tool.name.toLowerCase(), ruleName, tags, path, image: false, hasPackage: false });
}

/** GitHub's words for why an alert was dismissed or resolved, as ours; a word we have none for stays as it is. */
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
