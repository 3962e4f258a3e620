import { listPolicyKinds, type PolicyChange } from '@sightline/contract/compliance/policies.ts';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import s from './PolicyChanges.module.css';
import { type ChangedValue, changedValues, weakenedValues } from './policyChangeTexts.ts';

/** What a change makes less strict, and all values of the policy that it changes, each from the old to the new value. */
export function PolicyChangeDiff({ change }: { change: PolicyChange }) {
  const kinds = useQuery(endpointQuery(listPolicyKinds, {})).data ?? [];
  return (
    <div className={s.diff}>
      <section>
        <h3>Less strict</h3>
        <ChangedValues label="Less strict" values={weakenedValues(change, kinds)} />
      </section>
      <section>
        <h3>Changes of the policy</h3>
        {change.after === null ? (
          <p className="dim">The policy is archived. Its versions are kept.</p>
        ) : (
          <ChangedValues label="Changes of the policy" values={changedValues(change, kinds)} />
        )}
      </section>
    </div>
  );
}

function ChangedValues({ label, values }: { label: string; values: readonly ChangedValue[] }) {
  return (
    <ul className={s.values} aria-label={label}>
      {values.map((one) => (
        <li key={one.label}>
          <span className={s.label}>{one.label}</span>
          <span className={s.change}>
            {one.before === null ? (
              one.after
            ) : (
              <>
                <del>{one.before}</del>
                <IconArrowRight size={14} role="img" aria-label="changes to" />
                {one.after === null ? <span className="dim">not set</span> : <ins>{one.after}</ins>}
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
