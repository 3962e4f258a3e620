import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { controlOf, frameworkOf } from './compliance/frameworks.ts';
import { owasp } from './compliance/owasp.ts';
import { parentOf } from './compliance/parents.ts';
import type { Control, Standard } from './compliance/standard.ts';
import { top25 } from './compliance/top-25.ts';

type Compliance = FindingDetail['compliances'][number];
type FrameworkControl = { readonly framework: string; readonly control: string };

const standards: readonly Standard[] = [...owasp, ...top25];

/** How many steps up a weakness may be known by the more general one it is a kind of. */
const furthest = 3;

/**
 * What a finding concerns in the standards: by its weaknesses after our own table, then what the scanner says. A standard
 * that the scanner only names is left to the table where that knows the control. Each control once.
 */
export function compliancesOf(cwes: readonly number[], scanner: readonly FrameworkControl[]): Compliance[] {
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
  const said = scanner
    .flatMap((one) => fromScanner(one) ?? [])
    .filter(({ framework, control }) => control !== '' || !isCovered(framework))
    .sort((a, b) => compare(a.framework, b.framework) || compare(a.control, b.control));
  // What the scanner says of a control stands over what we concluded.
  for (const one of said) found.set(keyOf(one), { ...one, title: one.title ?? found.get(keyOf(one))?.title ?? null });
  return [...found.values()];
}

const keyOf = ({ framework, control }: FrameworkControl) => `${framework}\n${control}`;

const compare = new Intl.Collator('en', { numeric: true }).compare;

/** The controls of a standard in its own order. */
function controlsOf({ controls }: Standard, cwes: readonly number[]): Control[] {
  const hit = new Set(cwes.flatMap((cwe) => nearest(controls, cwe)));
  return controls.filter((control) => hit.has(control));
}

/** Those that name the weakness itself, or else the closest one it is a kind of. */
function nearest(controls: readonly Control[], cwe: number): Control[] {
  let looked: number | undefined = cwe;
  for (let step = 0; step <= furthest && looked !== undefined; step += 1) {
    const weakness: number = looked;
    const named = controls.filter((control) => control.cwes.includes(weakness));
    if (named.length > 0) return named;
    looked = parentOf.get(weakness);
  }
  return [];
}

function fromScanner({ framework: spelled, control: number }: FrameworkControl): Compliance | undefined {
  const standard = frameworkOf(spelled);
  if (!standard) return undefined;
  const control = controlOf(standard.framework, number);
  const ours = standards
    .find(({ framework }) => framework === standard.framework)
    ?.controls.find((one) => one.control === control);
  return {
    framework: standard.framework,
    control,
    title: ours?.title ?? null,
    url: ours?.url ?? standard.url,
    from: 'scanner',
  };
}
