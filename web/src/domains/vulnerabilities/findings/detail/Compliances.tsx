import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import { isWebUrl } from '#ui/ExternalLink.tsx';
import s from './Compliances.module.css';

type Compliance = FindingDetail['compliances'][number];

/** Shows the related requirements by framework, with their source. */
export function FindingCompliance({ compliances }: Pick<FindingDetail, 'compliances'>) {
  const frameworks = Object.entries(Object.groupBy(compliances, ({ framework }) => framework));
  return (
    <ul className={s.frameworks}>
      {frameworks.map(([framework, controls = []]) => (
        <li key={framework}>
          <p className={s.framework}>
            {framework}
            <span className="dim">
              {controls.every(({ from }) => from === 'cwe') ? 'from its CWE' : 'by the scanner'}
            </span>
          </p>
          <Controls of={controls.filter(({ control }) => control !== '')} />
        </li>
      ))}
    </ul>
  );
}

// A scanner may name a standard without a requirement.
const Controls = ({ of: controls }: { of: readonly Compliance[] }) =>
  controls.length === 0 ? null : (
    <ul className={s.controls}>
      {controls.map((control) => (
        <li key={control.control}>
          <Control of={control} />
        </li>
      ))}
    </ul>
  );

const Control = ({ of: { control, title, url } }: { of: Compliance }) => {
  const words = (
    <>
      <b>{control}</b>
      {title !== null && title !== control && ` ${title}`}
    </>
  );
  return url !== null && isWebUrl(url) ? (
    <a className={s.control} href={url} target="_blank" rel="noreferrer">
      {words}
      <span className="vh">, opens a new tab</span>
    </a>
  ) : (
    <span className={s.control}>{words}</span>
  );
};
