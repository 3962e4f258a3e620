import type { FindingDetail } from '@sightline/contract/vulnerabilities/findings.ts';
import s from './Code.module.css';
import { useSyntaxTokens } from './useColors.ts';

interface CodeLinesProps {
  filePath: string;
  lines: readonly string[];
  /** The number of the first line; undefined if unknown. */
  from?: number | undefined;
  /** The lines of the finding, both ends inclusive. */
  hit: { from: number; to: number } | null;
  flow: FindingDetail['flow'];
  /** The address of the finding's line at the code host. Links of other lines are derived from it. */
  codeUrl: string | null;
}

/** Shows numbered lines. Marks those of the finding, and shows data flow steps below their lines. */
export function CodeLines({ filePath, lines, from, hit, flow, codeUrl }: CodeLinesProps) {
  const colored = useSyntaxTokens(lines, filePath);
  const last = from === undefined ? undefined : from + lines.length - 1;
  return (
    <section
      className={s.code}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must be scrollable by keyboard
      tabIndex={0}
      aria-label={from === undefined ? 'Code location' : `Code location, lines ${from} to ${last}`}
    >
      {lines.map((text, index) => {
        const number = from === undefined ? undefined : from + index;
        const isHit = number !== undefined && hit !== null && number >= hit.from && number <= hit.to;
        const steps = flow.flatMap((step, stepIndex) =>
          step.filePath === filePath && step.line === number ? [{ place: stepIndex + 1, message: step.message }] : [],
        );
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its index
            key={index}
            className={s.line}
            data-hit={isHit || undefined}
            data-step={steps.length > 0 || undefined}
          >
            <LineNumber number={number} codeUrl={codeUrl} />
            <pre className={s.text}>
              {isHit && <span className="vh">Found here: </span>}
              {(colored?.[index] ?? [{ type: 'plain', value: text }]).map(({ type, value }, tokenIndex) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a token is identified by its index
                <span key={tokenIndex} data-token={type}>
                  {value}
                </span>
              ))}
            </pre>
            {steps.map((step) => (
              <span key={step.place} className={s.step}>
                <span className={s.mark}>{step.place}</span>
                {step.message}
              </span>
            ))}
          </div>
        );
      })}
    </section>
  );
}

function LineNumber({ number, codeUrl }: { number: number | undefined; codeUrl: string | null }) {
  if (number === undefined) return <span className={s.n} />;
  const anchored = codeUrl !== null && /#L\d+/.test(codeUrl);
  return anchored ? (
    <a
      className={s.n}
      href={codeUrl.replace(/#.*$/, `#L${number}`)}
      target="_blank"
      rel="noreferrer"
      tabIndex={-1}
      aria-label={`Line ${number}, opens a new tab`}
    >
      {number}
    </a>
  ) : (
    <span className={s.n}>{number}</span>
  );
}
