import { type AuditValue, auditKeyLabel, formatAuditValue } from '@sightline/contract/organization/audit-sentence.ts';
import s from './AuditDetails.module.css';

type AuditSide = Readonly<Record<string, unknown>> | null;

/** Shows the values before and after a change side by side, without unchanged ones. */
export function AuditValueChanges({ before, after }: { before: AuditSide; after: AuditSide }) {
  const changed = changedKeys(before, after);
  if (changed.length === 0) return null;
  return (
    <table className={s.changes}>
      <caption className="vh">Changes</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changed.map((key) => (
          <tr key={key}>
            <th scope="row">{auditKeyLabel(key)}</th>
            <td className={s.before}>
              <Value side={before} name={key} />
            </td>
            <td className={s.after}>
              <Value side={after} name={key} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Value = ({ side, name }: { side: AuditSide; name: string }) =>
  side && Object.hasOwn(side, name) ? (
    formatAuditValue(side[name] as AuditValue)
  ) : (
    <span className="dim">
      <span aria-hidden>–</span>
      <span className="vh">nothing</span>
    </span>
  );

/** Returns the keys with different values, in their original order. */
export function changedKeys(before: AuditSide, after: AuditSide): string[] {
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...keys].filter((key) => JSON.stringify(before?.[key]) !== JSON.stringify(after?.[key]));
}
