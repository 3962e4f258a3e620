import type { Assessment } from '#providers/scanner.ts';
import type { RawResult } from './result-shapes.ts';

/** How Checkmarx One, and people in it, judge a result. */
export const assessmentOf = ({
  state,
  confidenceLevel,
  comments,
  data,
  vulnerabilityDetails,
}: RawResult): Assessment => ({
  state: stateOf(state),
  cvss: cvssOf(vulnerabilityDetails),
  // Zero is how it writes that it does not know.
  confidence: confidenceLevel === '0' ? null : confidenceLevel,
  language: data.languageName,
  notes: comments,
});

/** A state in the one way that the API writes it: `PROPOSED_NOT_EXPLOITABLE`. */
const stateOf = (state: string | null): string | null => state?.toUpperCase().replaceAll(/[\s-]+/g, '_') ?? null;

function cvssOf({ cvssScore, cvss }: RawResult['vulnerabilityDetails']): Assessment['cvss'] {
  const told = typeof cvss?.score === 'string' || typeof cvss?.score === 'number' ? Number(cvss.score) : Number.NaN;
  const score = cvssScore ?? (told >= 0 && told <= 10 ? told : null);
  return score === null ? null : { score, vector: vectorOf(cvss ?? {}) };
}

// The metrics of CVSS 3, as they are called in a vector, with their fields.
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
  const fields = new Map(Object.entries(cvss).map(([name, value]) => [plain(name), value]));
  const parts = metrics.map(([short, name]) => {
    const value = fields.get(plain(name)) ?? fields.get(`${plain(name)}impact`);
    return typeof value === 'string' && value !== '' ? `${short}:${value[0]?.toUpperCase()}` : undefined;
  });
  if (parts.some((part) => part === undefined)) return null;
  return [`CVSS:${String(version) === '3' || version === undefined ? '3.1' : version}`, ...parts].join('/');
}

// `attackVector` and `attack_vector` are the same.
const plain = (name: string) => name.replaceAll('_', '').toLowerCase();
