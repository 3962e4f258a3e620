import { z } from 'zod';
import type { HostAlert } from '../host-facts.ts';
import { time } from './shapes.ts';

const number = z.number().int().positive();
const line = z.number().int().positive().nullish();

const instance = z.object({
  ref: z.string(),
  state: z.string().nullish(),
  commit_sha: z.string().nullish(),
  message: z.object({ text: z.string().nullish() }).nullish(),
  location: z.object({ path: z.string().nullish(), start_line: line, end_line: line }).nullish(),
});

const codeAlert = z.object({
  number,
  state: z.string().nullish(),
  created_at: time,
  html_url: z.string(),
  dismissed_at: z.string().nullish(),
  dismissed_reason: z.string().nullish(),
  dismissed_comment: z.string().nullish(),
  rule: z.object({
    id: z.string().nullish(),
    name: z.string().nullish(),
    severity: z.string().nullish(),
    security_severity_level: z.string().nullish(),
    description: z.string().nullish(),
    full_description: z.string().nullish(),
    help: z.string().nullish(),
    help_uri: z.string().nullish(),
    tags: z.array(z.string()).nullish(),
  }),
  tool: z.object({ name: z.string().nullish(), version: z.string().nullish() }),
  most_recent_instance: instance.nullish(),
  // Webhooks of some versions contain this instead of the field above.
  instances: z.array(instance).nullish(),
});

/**
 * Parses a code scanning alert of the API or of a webhook with its state on one ref: the separately read instance
 * `seen`, or the latest instance of the alert. Undefined without a ref. Throws ZodError for anything else.
 */
export function codeAlertFrom(json: unknown, seen?: unknown): HostAlert | undefined {
  const found = codeAlert.parse(json);
  const at = seen === undefined ? (found.most_recent_instance ?? found.instances?.[0]) : instance.parse(seen);
  if (!at?.ref) return undefined;
  const { rule, tool } = found;
  const isDismissed = found.state === 'dismissed' || at.state === 'dismissed';
  return {
    kind: 'code_scanning',
    number: found.number,
    url: found.html_url,
    createdAt: found.created_at,
    state: isDismissed ? 'dismissed' : at.state === 'fixed' ? 'fixed' : 'open',
    dismissed: isDismissed ? { reason: found.dismissed_reason ?? '', comment: found.dismissed_comment ?? '' } : null,
    tool: { name: tool.name || 'Code scanning', version: tool.version || null },
    ...ruleFieldsOf(rule),
    codes: [],
    ref: fullRef(at.ref),
    commit: at.commit_sha || null,
    ...locationFieldsOf(at.location),
    message: at.message?.text ?? '',
    package: null,
  };
}

function ruleFieldsOf(
  rule: z.infer<typeof codeAlert>['rule'],
): Pick<HostAlert, 'rule' | 'severity' | 'cwes' | 'references'> {
  const id = rule.id || rule.name || 'unknown';
  const tags = rule.tags ?? [];
  return {
    rule: {
      id,
      name: rule.name || null,
      title: rule.description || rule.name || id,
      description: rule.help || rule.full_description || '',
      tags,
    },
    severity: rule.security_severity_level ?? ofLevel[rule.severity ?? ''] ?? null,
    cwes: tags.flatMap(cweIn),
    references: rule.help_uri ? [{ title: 'About this rule', url: rule.help_uri }] : [],
  };
}

// For an alert without a file, GitHub returns a sentence instead of a path.
const locationFieldsOf = (
  location: z.infer<typeof instance>['location'],
): Pick<HostAlert, 'path' | 'line' | 'endLine'> => ({
  path: location?.path && !/^no file associated/i.test(location.path) ? location.path : null,
  line: location?.start_line ?? null,
  endLine: location?.end_line ?? null,
});

const ofLevel: Readonly<Record<string, string>> = { error: 'high', warning: 'medium', note: 'low', none: 'info' };

const cweIn = (tag: string): number[] => {
  const id = /cwe[-_/ ]?0*(\d+)/i.exec(tag)?.[1];
  return id === undefined ? [] : [Number(id)];
};

const fullRef = (ref: string): string => (ref.startsWith('refs/') ? ref : `refs/heads/${ref}`);

const advisory = z.object({
  ghsa_id: z.string(),
  cve_id: z.string().nullish(),
  summary: z.string(),
  description: z.string().nullish(),
  severity: z.string().nullish(),
  cwes: z.array(z.object({ cwe_id: z.string() })).nullish(),
  references: z.array(z.object({ url: z.string() })).nullish(),
});

const dependencyAlert = z.object({
  number,
  state: z.string(),
  created_at: time,
  html_url: z.string(),
  dismissed_reason: z.string().nullish(),
  dismissed_comment: z.string().nullish(),
  dependency: z.object({
    package: z.object({ ecosystem: z.string(), name: z.string() }),
    manifest_path: z.string().nullish(),
  }),
  security_advisory: advisory,
  security_vulnerability: z
    .object({
      severity: z.string().nullish(),
      vulnerable_version_range: z.string().nullish(),
      first_patched_version: z.object({ identifier: z.string() }).nullish(),
    })
    .nullish(),
});

/** Parses a Dependabot alert, which applies to the default branch. Throws ZodError for anything else. */
export function dependencyAlertFrom(json: unknown): HostAlert {
  const {
    number,
    state,
    dependency,
    security_advisory: details,
    security_vulnerability: range,
    ...found
  } = dependencyAlert.parse(json);
  const { ecosystem, name } = dependency.package;
  const affected = range?.vulnerable_version_range;
  const isDismissed = state === 'dismissed' || state === 'auto_dismissed';
  return {
    kind: 'dependabot',
    number,
    url: found.html_url,
    createdAt: found.created_at,
    state: isDismissed ? 'dismissed' : state === 'fixed' ? 'fixed' : 'open',
    dismissed: isDismissed ? { reason: found.dismissed_reason ?? state, comment: found.dismissed_comment ?? '' } : null,
    tool: { name: 'Dependabot', version: null },
    rule: { id: details.ghsa_id, name: null, title: details.summary, description: details.description ?? '', tags: [] },
    severity: range?.severity ?? details.severity ?? null,
    cwes: (details.cwes ?? []).flatMap(({ cwe_id }) => cweIn(cwe_id)),
    codes: [
      ...(details.cve_id ? [{ kind: 'cve' as const, id: details.cve_id }] : []),
      { kind: 'ghsa' as const, id: details.ghsa_id },
    ],
    references: (details.references ?? []).map(({ url }) => ({ title: url.replace(/^https?:\/\//, ''), url })),
    ref: null,
    commit: null,
    path: dependency.manifest_path || null,
    line: null,
    endLine: null,
    message: `${name} (${ecosystem})${affected ? ` ${affected}` : ''} is affected.`,
    package: { name, fixedIn: range?.first_patched_version?.identifier ?? null },
  };
}

// Reads only these fields: the alert also contains the secret, which must not be stored.
const secretAlert = z.object({
  number,
  state: z.string(),
  created_at: time,
  html_url: z.string(),
  resolution: z.string().nullish(),
  secret_type: z.string(),
  secret_type_display_name: z.string().nullish(),
  validity: z.string().nullish(),
  publicly_leaked: z.boolean().nullish(),
  first_location_detected: z.unknown().optional(),
});

const fileRange = z.object({ path: z.string(), start_line: line, end_line: line, commit_sha: z.string().nullish() });

/**
 * Parses a secret scanning alert of the API or of a webhook, without the secret. `location`: the separately read
 * location. Throws ZodError for anything else.
 */
export function secretAlertFrom(json: unknown, location?: unknown): HostAlert {
  const found = secretAlert.parse(json);
  const at = fileRange.safeParse(location ?? found.first_location_detected).data;
  const name = found.secret_type_display_name || found.secret_type;
  const isFixed = found.state === 'resolved' && found.resolution === 'revoked';
  const isDismissed = found.state === 'resolved' && !isFixed;
  return {
    kind: 'secret_scanning',
    number: found.number,
    url: found.html_url,
    createdAt: found.created_at,
    state: isFixed ? 'fixed' : isDismissed ? 'dismissed' : 'open',
    // The comment of the resolution may contain the secret.
    dismissed: isDismissed ? { reason: found.resolution ?? '', comment: '' } : null,
    tool: { name: 'Secret scanning', version: null },
    rule: { id: found.secret_type, name, title: `Exposed secret: ${name}`, description: secretHelp, tags: [] },
    severity: severityOfSecret(found),
    cwes: [798],
    codes: [],
    references: [],
    ref: null,
    commit: at?.commit_sha ?? null,
    path: at ? at.path.replace(/^\/+/, '') : null,
    line: at?.start_line ?? null,
    endLine: at?.end_line ?? null,
    message: validityWords[found.validity ?? ''] ?? 'It is unknown whether the secret is still valid.',
    package: null,
  };
}

/** Whether a secret scanning alert contains the location of the secret. */
export const hasSecretLocation = (json: unknown): boolean =>
  fileRange.safeParse(secretAlert.parse(json).first_location_detected).success;

const secretHelp =
  'A secret was committed. Revoke it at its issuer, replace it, and then remove it from the code. All readers of the repository may know it.';

const validityWords: Readonly<Record<string, string>> = {
  active: 'The secret is still valid.',
  inactive: 'The secret is no longer valid.',
};

function severityOfSecret({ validity, publicly_leaked }: { validity?: unknown; publicly_leaked?: unknown }): string {
  if (validity === 'active' || publicly_leaked === true) return 'critical';
  return validity === 'inactive' ? 'medium' : 'high';
}

const analysis = z.object({ ref: z.string(), created_at: time });

/** Parses the ref and the time of a code scanning analysis. Throws ZodError for anything else. */
export function analyzedRefFrom(json: unknown): { ref: string; at: string } {
  const { ref, created_at } = analysis.parse(json);
  return { ref: fullRef(ref), at: created_at };
}
