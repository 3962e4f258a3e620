import type { ImportGap, RepositoryDetail } from '@sightline/contract/sources/repositories.ts';
import { docsHref } from '#lib/docs.ts';
import { importStatus, isImportIncomplete } from '#lib/imports.ts';
import { useMayManageIntegrations } from '#lib/rights.ts';
import { Banner } from '#ui/Banner.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Progress } from '#ui/Progress.tsx';
import s from './Repository.module.css';
import { RetryImport } from './RetryImport.tsx';

/** Reports that the lists below are incomplete, or which data is missing and why. */
export function ImportNotice({ repository }: { repository: RepositoryDetail }) {
  const manages = useMayManageIntegrations();
  const { import: progress, fullName, missing } = repository;
  if (!isImportIncomplete(progress)) return null;
  const { status, words, reason, canRetry, done, total } = importStatus(progress);
  if (reason !== null) {
    const details = missing.length > 0 ? missing.map(gapWords).join('\n') : undefined;
    return (
      <Banner tone={status === 'Failed' ? 'error' : 'warning'} details={details}>
        <span className={s.failed}>
          <span>
            Import: {words}. {reason}{' '}
            <DocsLink href={docsHref('repositories', 'troubleshooting')}>Troubleshooting</DocsLink>
          </span>
          {manages && canRetry && <RetryImport repository={repository} />}
        </span>
      </Banner>
    );
  }
  return (
    <div className={s.notice}>
      <span>Import: {words}</span>
      <Progress label={`Importing ${fullName}`} done={done} total={total} words="" />
    </div>
  );
}

const kinds = { commit: 'Commit', pull_request: 'Pull request #', files: 'Changed files of commit' } as const;

function gapWords({ kind, item, reason, nextAttemptAt }: ImportGap): string {
  const name = kind === 'pull_request' ? `${kinds[kind]}${item}` : `${kinds[kind]} ${item.slice(0, 7)}`;
  return `${name}: ${reason}${nextAttemptAt === null ? '. Sightline does not try again automatically.' : ''}`;
}
