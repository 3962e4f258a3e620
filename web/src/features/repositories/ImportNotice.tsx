import type { RepositoryDetail } from '@sightline/contract/repositories.ts';
import { docsHref } from '#lib/docs.ts';
import { useManages } from '#lib/rights.ts';
import { Banner } from '#ui/Banner.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import { Progress } from '#ui/Progress.tsx';
import { isImporting } from './ImportState.tsx';
import { importProgress } from './importProgress.ts';
import s from './Repository.module.css';
import { RetryImport } from './RetryImport.tsx';

/** Says that the lists below are not complete yet, or why they stay so. */
export function ImportNotice({ repository }: { repository: RepositoryDetail }) {
  const manages = useManages();
  const { import: state, fullName } = repository;
  if (state === null) return null;
  if (state.state === 'failed') {
    return (
      <Banner tone="error" details={state.error ?? undefined}>
        <span className={s.failed}>
          <span>
            The history could not be read in completely.{' '}
            <DocsLink href={docsHref('repositories', 'when-something-fails')}>What to do</DocsLink>
          </span>
          {manages && <RetryImport repository={repository} />}
        </span>
      </Banner>
    );
  }
  if (!isImporting(state)) return null;
  const { done, total, words } = importProgress(state);
  return (
    <div className={s.notice}>
      <span>{words}</span>
      <Progress label={`Importing ${fullName}`} done={done} total={total} words="" />
    </div>
  );
}
