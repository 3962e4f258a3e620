import { Button, TextInput } from '@mantine/core';
import { createOrganization, organizationNameError } from '@sightline/contract/organization/organizations.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '#lib/api.ts';
import { docsHref } from '#lib/docs.ts';
import { errorMessageOf, logUpdateFailure } from '#lib/reason.ts';
import { signIn } from '#lib/sign-in.ts';
import { Banner } from '#ui/Banner.tsx';
import s from './Setup.module.css';
import { StepCard } from './StepCard.tsx';

/** Step 1. Signs in to the new organization immediately, where the setup continues. */
export function CreateOrganization() {
  const [name, setName] = useState('');
  const error = organizationNameError(name);
  const create = useMutation({
    mutationFn: async () => {
      const { id } = await call(createOrganization, { body: { displayName: name } });
      await signIn({ organization: id, path: '/onboarding/setup/2' });
    },
    onError: (error) => logUpdateFailure(error),
    meta: { quiet: true },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <StepCard
      title="Create your organization"
      text="An organization contains repositories, members and all recorded activity."
      more={{ href: docsHref('getting-started'), words: 'Getting started' }}
    >
      <form onSubmit={submit}>
        <div className={s.body}>
          <TextInput
            label="Organization name"
            value={name}
            error={error}
            autoComplete="organization"
            onChange={({ currentTarget }) => setName(currentTarget.value.trimStart())}
          />
          {create.error && (
            <Banner tone="error">{errorMessageOf(create.error, 'The organization could not be created.')}</Banner>
          )}
        </div>
        <div className={s.foot}>
          <Button
            type="submit"
            disabled={name === '' || error !== undefined}
            // Loading until the browser has left for the sign-in page.
            loading={create.isPending || create.isSuccess}
          >
            Continue
          </Button>
        </div>
      </form>
    </StepCard>
  );
}
