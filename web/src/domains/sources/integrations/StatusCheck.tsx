import { Button } from '@mantine/core';
import { createStatusCheck, deleteStatusCheck, getStatusCheck } from '@sightline/contract/sources/status-checks.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, endpointQuery, keyOf } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DocsLink } from '#ui/DocsLink.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Places.module.css';

/** Shows the URL for external status checks of GitLab, and their secret once. */
export function GitlabStatusCheck() {
  const queryClient = useQueryClient();
  const state = useQuery({ ...endpointQuery(getStatusCheck, {}), meta: { quiet: true } });
  const onSettled = () => void queryClient.invalidateQueries({ queryKey: keyOf(getStatusCheck) });
  const create = useMutation({ mutationFn: () => call(createStatusCheck, {}), onSettled, meta: { quiet: true } });
  const remove = useMutation({
    mutationFn: () => call(deleteStatusCheck, {}),
    onSuccess: () => create.reset(),
    onSettled,
    meta: { quiet: true },
  });
  const error = state.error ?? create.error ?? remove.error;
  const [check, secret] = [create.data ?? state.data, create.data?.secret];
  return (
    <fieldset className={s.places}>
      <legend>External status check</legend>
      <p className="dim">
        With GitLab Ultimate, a project can check compliance with enforced policies before a merge.{' '}
        <DocsLink href={docsHref('integrations-gitlab', 'external-status-checks')}>Setup instructions</DocsLink>
      </p>
      {check && (
        <dl className={s.facts}>
          <Fact name="URL" value={check.address} />
          {secret !== undefined && <Fact name="Secret" value={secret} />}
          <div>
            <dt>Created</dt>
            <dd>
              <TimeAgo at={check.createdAt} />
              {secret !== undefined && '. The secret is shown once.'}
            </dd>
          </div>
        </dl>
      )}
      {error && <Banner tone="error">{errorMessageOf(error, 'The action failed. Try again.')}</Banner>}
      <div className={s.buttons}>
        <Button
          variant="default"
          size="xs"
          loading={create.isPending}
          disabled={state.isPending}
          onClick={() => create.mutate()}
        >
          {check ? 'Create new URL and secret' : 'Create URL and secret'}
        </Button>
        {check && (
          <Button variant="subtle" size="xs" loading={remove.isPending} onClick={() => remove.mutate()}>
            Remove
          </Button>
        )}
      </div>
    </fieldset>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd className={s.copied}>
      <code>{value}</code>
      <CopyButton compact value={value} label={`Copy ${name.toLowerCase()}`} />
    </dd>
  </div>
);
