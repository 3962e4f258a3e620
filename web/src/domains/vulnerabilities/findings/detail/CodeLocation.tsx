import { type FindingDetail, getFindingSnippet } from '@sightline/contract/vulnerabilities/findings.ts';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { ExternalLink } from '#ui/ExternalLink.tsx';
import { providerName } from '#ui/providerName.ts';
import { offsetRangeText } from '../location-text.ts';
import s from './Code.module.css';
import { CodeLines } from './CodeLines.tsx';
import { FlowSteps } from './FlowSteps.tsx';

/** Shows the code of the finding with its line marked: from the code host, or the snippet of the scanner. */
export function CodeLocation({ finding }: { finding: FindingDetail }) {
  const { coordinate, snippet, category, commit, codeUrl, flow, region, repository } = finding;
  // The line of a secret contains the secret, so it is neither requested nor shown.
  const quotable = category !== 'secret';
  const fetched = useQuery({
    ...endpointQuery(getFindingSnippet, { params: { findingId: finding.id } }),
    enabled: coordinate !== null && quotable,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  });
  if (!coordinate) return null;
  const { filePath, line, endLine } = coordinate;
  const at = fetched.data?.commit ?? commit;
  const shown = fetched.data ?? (fetched.isError && snippet !== null ? quoted(snippet, line) : undefined);
  return (
    <figure className={s.figure} aria-busy={fetched.isFetching}>
      <figcaption className={s.head}>
        <Path path={filePath} />
        {region?.offset && <span className={s.sha}>{offsetRangeText(region.offset)}</span>}
        {at && <span className={s.sha}>at {at.slice(0, 7)}</span>}
        {codeUrl !== null && (
          <span className={s.open}>
            <ExternalLink href={codeUrl}>Open in {providerName(repository.provider)}</ExternalLink>
          </span>
        )}
      </figcaption>
      {shown && (
        <CodeLines
          {...shown}
          filePath={filePath}
          hit={line === null ? (fetched.data?.highlightedLines ?? null) : { from: line, to: endLine ?? line }}
          flow={flow}
          codeUrl={fetched.data ? codeUrl : null}
        />
      )}
      {!quotable && <p className={s.note}>The line is hidden because it may contain the secret.</p>}
      {quotable && fetched.isPending && <div className={s.placeholders} />}
      {fetched.isError && (
        <p className={s.note}>
          {shown ? 'Lines as reported by the scanner. ' : ''}
          {fetched.error.refusal?.message ?? 'The code host is not available.'}
        </p>
      )}
      <FlowSteps flow={flow} shown={fetched.data} />
    </figure>
  );
}

/** A scanner snippet starts at the line of the finding. Without a line, numbers would be invented. */
const quoted = (snippet: string, line: number | null) => ({
  from: line ?? undefined,
  lines: snippet.replace(/\n$/, '').split('\n'),
});

function Path({ path }: { path: string }) {
  const parts = path.split('/');
  const name = parts.pop();
  return (
    <span className={s.path} title={path}>
      <span className="vh">{path}</span>
      <span className={s.parts} aria-hidden>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a folder may be inside one of its own name
          <span key={index} className={s.part}>
            {part}
            <IconChevronRight size={12} />
          </span>
        ))}
        <b>{name}</b>
      </span>
    </span>
  );
}
