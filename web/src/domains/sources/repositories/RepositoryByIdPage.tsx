import { getRepositoryById } from '@sightline/contract/sources/repositories.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { z } from 'zod';
import { endpointQuery } from '#lib/api.ts';
import { repositoryHref } from '#lib/repository-href.ts';
import { RepositoryNotFound } from './RepositoryNotFound.tsx';
import { RepositoryUnavailable } from './RepositoryUnavailable.tsx';

/** Redirects an old or short link to the address by path. */
export function RepositoryByIdPage() {
  const params: { repositoryId?: string } = useParams({ strict: false });
  const id = z.uuid().safeParse(params.repositoryId);
  const repository = useQuery({
    ...endpointQuery(getRepositoryById, { params: { repositoryId: id.data ?? '' } }),
    enabled: id.success,
    meta: { quiet: true },
  });
  const router = useRouter();
  const href = repository.data && repositoryHref(repository.data);
  useEffect(() => {
    if (href !== undefined) void router.navigate({ href, replace: true });
  }, [router, href]);
  if (!id.success || repository.error?.status === 404) return <RepositoryNotFound />;
  if (repository.isError)
    return <RepositoryUnavailable error={repository.error} onRetry={() => repository.refetch()} />;
  return null;
}
