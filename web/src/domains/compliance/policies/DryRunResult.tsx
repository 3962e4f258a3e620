import { DRY_RUN_DAYS, type DryRun } from '@sightline/contract/compliance/policies.ts';
import { Link } from '#ui/Link.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { VerdictBar } from '#ui/VerdictBar.tsx';
import { verdictBadges } from '#ui/verdicts.ts';
import s from './Policies.module.css';

/** Compares the results of the last 30 days under the proposed and the current rules. */
export function DryRunResult({ run, stale }: { run: DryRun; stale: boolean }) {
  const changed = run.controls.reduce((sum, control) => sum + control.changed, 0);
  return (
    <div className={s.run} data-stale={stale || undefined}>
      <p role="status">
        {stale ? 'The policy changed after this simulation. Simulate it again.' : outcomeOf(run, changed)}{' '}
        <span className="dim">Existing evaluations are not changed. A simulation does not predict future results.</span>
      </p>
      <div className={s.compared}>
        {run.controls.map(({ control, title, before, after }) => (
          <section key={control} aria-label={title}>
            <h3>
              <Link className="link" href={`/evidence/controls/${control}`}>
                {control} {title}
              </Link>
            </h3>
            <dl>
              <dt>Current</dt>
              <dd>
                <VerdictBar counts={before} />
              </dd>
              <dt>Proposed</dt>
              <dd>
                <VerdictBar counts={after} />
              </dd>
            </dl>
          </section>
        ))}
      </div>
      {run.rows.length > 0 && <Changed run={run} changed={changed} />}
    </div>
  );
}

/** Without data or evidence the verdicts do not change either, which does not show compliance. */
function outcomeOf({ controls }: DryRun, changed: number): string {
  if (controls.every(({ before, after }) => before.population + after.population === 0)) {
    return `The last ${DRY_RUN_DAYS} days hold no data that this policy applies to. This does not show what the policy does.`;
  }
  if (changed > 0) {
    return `In the last ${DRY_RUN_DAYS} days ${changed === 1 ? 'one verdict' : `${changed} verdicts`} would change.`;
  }
  if (controls.every(({ after }) => after.missing_evidence === after.population)) {
    return `In the last ${DRY_RUN_DAYS} days evidence is missing for every verdict. This does not show what the policy does.`;
  }
  return `In the last ${DRY_RUN_DAYS} days no verdict would change.`;
}

const Changed = ({ run, changed }: { run: DryRun; changed: number }) => (
  <>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard cannot scroll it */}
    <section className={s.rows} tabIndex={0} aria-label="Changed verdicts">
      <table>
        <caption className="vh">Items whose verdict would change</caption>
        <thead>
          <tr>
            <th scope="col">Control</th>
            <th scope="col">Item</th>
            <th scope="col">Current</th>
            <th scope="col">Proposed</th>
          </tr>
        </thead>
        <tbody>
          {run.rows.map(({ control, subject, before, after }) => (
            <tr key={`${control} ${subject}`}>
              <td>{control}</td>
              <td>
                <Item subject={subject} />
              </td>
              <td>{wordOf(before)}</td>
              <td>{wordOf(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    {changed > run.rows.length && (
      <p className="dim">
        The first {run.rows.length} of {changed}.
      </p>
    )}
  </>
);

const pages: Readonly<Record<string, string>> = { change: '/changes', finding: '/vulnerabilities' };

/** The identifier of an item, as in evidence, with a link to its page. */
function Item({ subject }: { subject: string }) {
  const [kind = '', id = ''] = subject.split(':');
  const page = pages[kind];
  return page === undefined ? (
    <code>{subject}</code>
  ) : (
    // The policy is not saved yet.
    <Link className="link" href={`${page}/${id}`} target="_blank">
      <code>{subject}</code>
      <span className="vh">, opens in a new tab</span>
    </Link>
  );
}

const wordOf = (verdict: DryRun['rows'][number]['before']) =>
  verdict === null ? (
    <span className="dim">Not evaluated</span>
  ) : (
    <StatusDot tone={verdictBadges[verdict][0]}>{verdictBadges[verdict][1]}</StatusDot>
  );
