import { Button, Textarea, TextInput } from '@mantine/core';
import {
  getOrganization,
  type Organization,
  organizationDescriptionMax,
  organizationNameError,
  updateOrganization,
} from '@sightline/contract/organization/organizations.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call, keyOf } from '#lib/api.ts';
import { errorMessageOf, logUpdateFailure } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Face } from '#ui/Person.tsx';
import { toast } from '#ui/toast.ts';
import { errorCauseOf } from './errorCause.ts';
import s from './Settings.module.css';

interface GeneralFormProps {
  organization: Organization;
  /** Whether the form is read-only. */
  locked: boolean;
}

type OrganizationDraft = Partial<Pick<Organization, 'displayName' | 'description'>>;

/** Edits name, description and logo. Unsaved input stays after changes by other owners and after failures. */
export function GeneralForm({ organization, locked }: GeneralFormProps) {
  const [draft, setDraft] = useState<OrganizationDraft>({});
  const queryClient = useQueryClient();
  const { displayName, description } = { ...organization, ...draft };
  const nameError = organizationNameError(displayName);
  const changed = displayName.trim() !== organization.displayName || description.trim() !== organization.description;
  const save = useMutation({
    mutationFn: () => call(updateOrganization, { body: { displayName, description } }),
    meta: { quiet: true },
    onError: (error) => logUpdateFailure(error),
    onSuccess: (saved) => {
      setDraft({});
      queryClient.setQueryData(keyOf(getOrganization, {}), saved);
      toast.success('The organization is saved.');
    },
  });
  const ready = !locked && displayName.trim() !== '' && nameError === undefined && changed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) save.mutate();
  };
  const change = (patch: OrganizationDraft) => {
    save.reset();
    setDraft({ ...draft, ...patch });
  };
  return (
    <Panel title="Profile">
      <form className={s.form} onSubmit={submit}>
        <Logo organization={organization} />
        <TextInput
          label="Name"
          value={displayName}
          error={nameError}
          readOnly={locked}
          autoComplete="organization"
          onChange={({ currentTarget }) => change({ displayName: currentTarget.value.trimStart() })}
        />
        <Textarea
          label="Description"
          value={description}
          readOnly={locked}
          maxLength={organizationDescriptionMax}
          autosize
          minRows={3}
          maxRows={10}
          onChange={({ currentTarget }) => change({ description: currentTarget.value })}
        />
        {save.error && (
          <Banner tone="error" details={errorCauseOf(save.error)}>
            {errorMessageOf(save.error, 'The organization was not saved. Your input is unchanged.')}
          </Banner>
        )}
        {!locked && (
          <div className={s.actions}>
            <Button type="submit" disabled={!ready} loading={save.isPending}>
              Save
            </Button>
            {changed && (
              <Button variant="default" disabled={save.isPending} onClick={() => change({ ...organization })}>
                Discard changes
              </Button>
            )}
          </div>
        )}
      </form>
    </Panel>
  );
}

/** spec 2.8: the logo with its hint. An upload does not exist (decision 0042). */
const Logo = ({ organization: { displayName, logoUrl } }: Pick<GeneralFormProps, 'organization'>) => (
  <div className={s.logo}>
    <Face name={displayName} picture={logoUrl ?? undefined} size={64} square />
    <p className={s.hint}>
      128x128 or bigger, PNG or JPG, 2 MB max
      <br />
      Logo upload is not available.
    </p>
  </div>
);
