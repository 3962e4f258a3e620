import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { normalizeControlId, normalizeFramework } from './compliance/frameworks.ts';
import { owaspTop10 } from './compliance/owasp.ts';
import { parentWeaknesses } from './compliance/parents.ts';
import type { ComplianceStandard, StandardControl } from './compliance/standard.ts';
import { cweTop25 } from './compliance/top-25.ts';

type Compliance = FindingDetail['compliances'][number];
type FrameworkControl = { readonly framework: string; readonly control: string };

const standards: readonly ComplianceStandard[] = [...owaspTop10, ...cweTop25];

/** Maximum number of steps from a weakness to a more general one that a standard lists. */
const MAX_PARENT_STEPS = 3;

/**
 * Maps a finding to controls of standards: by its CWEs, then by the requirements that the scanner reports. Drops a
 * standard that the scanner reports without a control if the CWEs map to it. Lists each control once.
 */
export function mapCompliances(cwes: readonly number[], scanner: readonly FrameworkControl[]): Compliance[] {
  const found = new Map<string, Compliance>();
  for (const standard of standards) {
    for (const { control, title, url } of controlsOf(standard, cwes)) {
      const one: Compliance = { framework: standard.framework, control, title, url, from: 'cwe' };
      found.set(keyOf(one), one);
    }
  }
  const known = new Set([...found.values()].map(({ framework }) => framework));
  const isCovered = (framework: string) =>
    known.has(framework) || [...known].some((one) => one.startsWith(`${framework} 20`));
  const reported = scanner
    .flatMap((one) => fromScanner(one) ?? [])
    .filter(({ framework, control }) => control !== '' || !isCovered(framework))
    .sort((a, b) => compare(a.framework, b.framework) || compare(a.control, b.control));
  // A control that the scanner reports takes precedence over the mapped one.
  for (const one of reported)
    found.set(keyOf(one), { ...one, title: one.title ?? found.get(keyOf(one))?.title ?? null });
  return [...found.values()];
}

const keyOf = ({ framework, control }: FrameworkControl) => `${framework}\n${control}`;

const compare = new Intl.Collator('en', { numeric: true }).compare;

/** The controls of a standard in its own order. */
function controlsOf({ controls }: ComplianceStandard, cwes: readonly number[]): StandardControl[] {
  const hit = new Set(cwes.flatMap((cwe) => closestControls(controls, cwe)));
  return controls.filter((control) => hit.has(control));
}

/** Controls that list the weakness itself, or otherwise its closest listed ancestor. */
function closestControls(controls: readonly StandardControl[], cwe: number): StandardControl[] {
  let current: number | undefined = cwe;
  for (let step = 0; step <= MAX_PARENT_STEPS && current !== undefined; step += 1) {
    const weakness: number = current;
    const matches = controls.filter((control) => control.cwes.includes(weakness));
    if (matches.length > 0) return matches;
    current = parentWeaknesses.get(weakness);
  }
  return [];
}

function fromScanner({ framework: spelled, control: number }: FrameworkControl): Compliance | undefined {
  const standard = normalizeFramework(spelled);
  if (!standard) return undefined;
  const control = normalizeControlId(standard.framework, number);
  const cataloged = standards
    .find(({ framework }) => framework === standard.framework)
    ?.controls.find((one) => one.control === control);
  return {
    framework: standard.framework,
    control,
    title: cataloged?.title ?? null,
    url: cataloged?.url ?? standard.url,
    from: 'scanner',
  };
}
