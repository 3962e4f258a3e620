import type { DigestDetail } from '@sightline/contract/compliance/digests.ts';
import { Panel } from '#ui/Panel.tsx';
import { Tag } from '#ui/Tag.tsx';
import s from './Digests.module.css';

/** Lists the rules that could not be evaluated in the week, with the reasons. */
export function DigestMissingEvidence({ missing }: Pick<DigestDetail, 'missing' | 'period'>) {
  if (missing.length === 0) return null;
  return (
    <Panel flush title="Missing evidence">
      <ul className={s.list}>
        {missing.map(({ control, title, rows, reasons }) => (
          <li key={control}>
            <p>
              <Tag>{control}</Tag> {title}: {rows === 1 ? '1 item' : `${rows} items`} without a verdict
            </p>
            {reasons.map(({ code, text }) => (
              <p key={code} className="dim">
                {text}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
