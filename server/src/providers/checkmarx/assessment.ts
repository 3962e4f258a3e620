import type { ResultAssessment } from '#providers/scanner.ts';
import type { RawResult } from './result-shapes.ts';

/** The assessment of a result by Checkmarx One and its users. */
export const assessmentOf = ({
  state,
  confidenceLevel,
  comments,
  data,
  vulnerabilityDetails,
}: RawResult): ResultAssessment => ({
  state: stateOf(state),
  cvss: cvssOf(vulnerabilityDetails),
  // Zero means unknown.
  confidence: confidenceLevel === '0' ? null : confidenceLevel,
  language: data.languageName,
  notes: comments,
});

/** Normalizes a state to the format of the API: `PROPOSED_NOT_EXPLOITABLE`. */
const stateOf = (state: string | null): string | null => state?.toUpperCase().replaceAll(/[\s-]+/g, '_') ?? null;

function cvssOf({ cvssScore, cvss }: RawResult['vulnerabilityDetails']): ResultAssessment['cvss'] {
  const reported = typeof cvss?.score === 'string' || typeof cvss?.score === 'number' ? Number(cvss.score) : Number.NaN;
  const score = cvssScore ?? (reported >= 0 && reported <= 10 ? reported : null);
  return score === null ? null : { score, vector: vectorOf(cvss ?? {}) };
}

// The metrics of CVSS 3: their abbreviations in a vector, and their field names.
const metrics = [
  ['AV', 'attackVector'],
  ['AC', 'attackComplexity'],
  ['PR', 'privilegesRequired'],
  ['UI', 'userInteraction'],
  ['S', 'scope'],
  ['C', 'confidentiality'],
  ['I', 'integrity'],
  ['A', 'availability'],
] as const;

function vectorOf(cvss: Record<string, unknown>): string | null {
  const { vector, version } = cvss;
  if (typeof vector === 'string' && vector.trim() !== '') return vector.trim();
  const fields = new Map(Object.entries(cvss).map(([name, value]) => [normalizedName(name), value]));
  const parts = metrics.map(([short, name]) => {
    const value = fields.get(normalizedName(name)) ?? fields.get(`${normalizedName(name)}impact`);
    return typeof value === 'string' && value !== '' ? `${short}:${value[0]?.toUpperCase()}` : undefined;
  });
  if (parts.some((part) => part === undefined)) return null;
  return [`CVSS:${String(version) === '3' || version === undefined ? '3.1' : version}`, ...parts].join('/');
}

// Treats `attackVector` and `attack_vector` as equal.
const normalizedName = (name: string) => name.replaceAll('_', '').toLowerCase();
