import { listDownloads } from '@sightline/contract/tools/downloads.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Failure } from '#ui/Failure.tsx';
import s from './Account.module.css';
import { DownloadCard } from './DownloadCard.tsx';
import { AccountSection, SkeletonRows } from './Section.tsx';

const cards = [
  { target: 'vscode', name: 'Visual Studio Code', kind: 'Editor extension' },
  { target: 'chrome', name: 'Chrome', kind: 'Browser extension' },
  { target: 'firefox', name: 'Firefox', kind: 'Browser extension' },
  { target: 'brave', name: 'Brave', kind: 'Browser extension' },
  { target: 'edge', name: 'Edge', kind: 'Browser extension' },
  { target: 'opera', name: 'Opera', kind: 'Browser extension' },
] as const;

/** Lists the extensions. A card reports if this server has no file of its extension. */
export function Downloads() {
  const { data, error, refetch } = useQuery({ ...endpointQuery(listDownloads, {}), meta: { quiet: true } });
  return (
    <AccountSection id="downloads" title="Get extensions" flush>
      {error && !data ? (
        <Failure title="The downloads could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonRows rows={3} />
      ) : (
        <>
          <p className={s.quiet}>
            They report to your organization which tools contributed to a change, and send no code. Sign in there with
            the account you use here.{' '}
            <DocsLink href={docsHref('integrations-editors')}>About the editor extension</DocsLink>,{' '}
            <DocsLink href={docsHref('integrations-browsers')}>about those of browsers</DocsLink>,{' '}
            <DocsLink href={docsHref('privacy')}>the data they send, field by field</DocsLink>.
          </p>
          <ul className={s.cards}>
            {cards.map((card) => (
              <DownloadCard key={card.target} {...card} files={data.filter(({ target }) => target === card.target)} />
            ))}
          </ul>
        </>
      )}
    </AccountSection>
  );
}
