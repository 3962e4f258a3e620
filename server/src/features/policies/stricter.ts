import type { ControlId, ControlSetting } from '@sightline/contract/controls.ts';

/**
 * What several policies about the same repositories amount to together: of each parameter the value that lets the least
 * pass, so that none of them is loosened by another.
 */
export const strictest = (control: ControlId, settings: readonly ControlSetting[]): ControlSetting =>
  settings.reduce((one, other) =>
    Object.fromEntries(
      Object.entries(one).map(([name, value]) => [name, stricterOf(control, name, value, other[name] ?? value)]),
    ),
  );

type Value = ControlSetting[string];

function stricterOf(control: ControlId, name: string, a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    if (more.has(`${control}.${name}`)) return Math.max(a, b);
    // Of a limit, none lets everything pass.
    if (control === 'VUL-01' && (a === 0 || b === 0)) return Math.max(a, b);
    return Math.min(a, b);
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return a || b;
  if (!Array.isArray(a) || !Array.isArray(b)) return a;
  // More branches are more to hold; more exempt ones less.
  return name === 'branches' ? [...new Set([...a, ...b])].toSorted() : a.filter((item) => b.includes(item));
}

/** Numbers that are stricter the greater they are: all others are spans of time, or lengths of them, and stricter when short. */
const more = new Set(['CHG-01.approvals', 'CHG-04.reviews', 'COV-01.coverage', 'EXC-01.reasonLength']);
