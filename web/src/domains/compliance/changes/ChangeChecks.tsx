import type { Change } from '@sightline/contract/compliance/changes.ts';
import { StatusDot, type Tone } from '#ui/StatusBadge.tsx';
import s from './Changes.module.css';

type ChangeCheck = NonNullable<Change['parts']['checks']['value']>[number];
const passingConclusions = ['success', 'neutral'];

/** Lists the checks on the head commit, the required ones first, and required ones that never ran. */
export function ChangeChecks({ checks, required }: { checks: readonly ChangeCheck[]; required: readonly string[] }) {
  const absent = required.filter((name) => !checks.some((check) => check.name === name));
  if (checks.length === 0 && absent.length === 0) return <p className="dim">No checks ran and none were required.</p>;
  return (
    <ul className={`${s.list} ${s.checks}`}>
      {absent.map((name) => (
        <li key={name}>
          <StatusDot tone="red">{name}</StatusDot> <span className={s.note}>required, did not run</span>
        </li>
      ))}
      {checks
        .toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired))
        .map((check) => (
          <li key={`${check.name} ${check.sha}`}>
            <StatusDot tone={toneOf(check)}>{check.name}</StatusDot>{' '}
            <span className={s.note}>
              {check.conclusion?.replaceAll('_', ' ') ?? 'not finished'}
              {check.isRequired && ', required'}
            </span>
          </li>
        ))}
    </ul>
  );
}

const toneOf = ({ conclusion, isRequired }: ChangeCheck): Tone =>
  conclusion === null
    ? 'yellow'
    : passingConclusions.includes(conclusion)
      ? 'green'
      : conclusion === 'skipped' && !isRequired
        ? 'gray'
        : 'red';
