import { Button } from '@mantine/core';
import { createDemo, getDemo } from '@sightline/contract/organization/demo.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { errorMessageOf, logUpdateFailure } from '#lib/reason.ts';
import { signIn } from '#lib/sign-in.ts';
import { Banner } from '#ui/Banner.tsx';
import { Progress } from '#ui/Progress.tsx';
import s from './Setup.module.css';

const POLL_MS = 1000;

/** Offers the demo organization on servers with a sandbox, shows its progress, and opens it when it is ready. */
export function TryDemo() {
  const { data: demo, refetch } = useQuery({
    ...endpointQuery(getDemo, {}),
    meta: { quiet: true },
    refetchInterval: ({ state }) => (state.data?.progress?.state === 'creating' ? POLL_MS : false),
  });
  const create = useMutation({
    mutationFn: () => call(createDemo, {}),
    onSuccess: () => refetch(),
    meta: { quiet: true },
    onError: (error) => logUpdateFailure(error),
  });
  const progress = demo?.progress ?? null;
  const readyId = create.isSuccess && progress?.state === 'ready' ? progress.organizationId : null;
  useEffect(() => {
    if (readyId !== null) void signIn({ organization: readyId, path: '/' });
  }, [readyId]);
  if (!demo?.isOffered || (progress?.state === 'ready' && !create.isSuccess)) return null;
  const isCreating = create.isPending || progress?.state === 'creating' || readyId !== null;
  return (
    <section className={s.demo} aria-labelledby="demo-title">
      <h2 id="demo-title">Try with demo data</h2>
      <p>
        Opens an organization with two years of history: eight repositories on three code hosts, reviews, scans and
        evidence. You can remove it with one click.
      </p>
      {isCreating && progress && (
        <>
          <Progress label="Creating the demo" done={progress.done} total={progress.total} />
          <p role="status">{progress.step}</p>
        </>
      )}
      {progress?.state === 'failed' && <Banner tone="error">{`The demo failed. ${progress.problem ?? ''}`}</Banner>}
      {create.error && <Banner tone="error">{errorMessageOf(create.error, 'The demo could not be created.')}</Banner>}
      <div>
        <Button variant="default" loading={isCreating} onClick={() => create.mutate()}>
          Try with demo data
        </Button>
      </div>
    </section>
  );
}
