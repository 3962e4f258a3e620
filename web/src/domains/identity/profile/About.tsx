import { Button, Textarea, TextInput } from '@mantine/core';
import { type Account, updateAccountDescription } from '@sightline/contract/identity/accounts.ts';
import { IconBuilding, IconMapPin } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { account } from '#lib/account.ts';
import { call } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import { Panel } from '#ui/Panel.tsx';
import { toast } from '#ui/toast.ts';
import s from './Profile.module.css';

/** The self-description of a person, and the form to edit it. */
export function ProfileDescription({ me }: { me: Account }) {
  const [editing, setEditing] = useState(false);
  const { bio, company, location } = me.traits.description;
  if (editing) return <Form me={me} onClose={() => setEditing(false)} />;
  const isEmpty = bio === '' && company === '' && location === '';
  return (
    <Panel
      title="About"
      aside={
        <Button variant="subtle" size="compact-sm" onClick={() => setEditing(true)}>
          {isEmpty ? 'Add' : 'Edit'}
        </Button>
      }
    >
      {isEmpty ? (
        <p className="dim">No description. Describe your work to help colleagues find the right person.</p>
      ) : (
        <div className={s.about}>
          {bio !== '' && <p className={s.bio}>{bio}</p>}
          {company !== '' && (
            <Line label="Company" icon={<IconBuilding {...icon} />}>
              {company}
            </Line>
          )}
          {location !== '' && (
            <Line label="Location" icon={<IconMapPin {...icon} />}>
              {location}
            </Line>
          )}
        </div>
      )}
    </Panel>
  );
}

const icon = { size: 15, stroke: 1.6, 'aria-hidden': true } as const;

const Line = ({ label, icon, children }: { label: string; icon: ReactNode; children: string }) => (
  <p className={s.line}>
    {icon}
    <span className="vh">{label}: </span>
    {children}
  </p>
);

function Form({ me, onClose }: { me: Account; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { bio, company, location } = me.traits.description;
  const [draft, setDraft] = useState({ bio, company, location });
  const save = useMutation({
    mutationFn: () => call(updateAccountDescription, { body: draft }),
    onSuccess: (account_) => {
      queryClient.setQueryData(account().queryKey, account_);
      toast.success('Your profile was saved.');
      onClose();
    },
    meta: { quiet: true },
  });
  const changed = draft.bio !== bio || draft.company !== company || draft.location !== location;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title="About">
      <form className={s.form} onSubmit={submit}>
        <Textarea
          label="About you"
          rows={4}
          maxLength={2000}
          value={draft.bio}
          autoFocus
          onChange={({ currentTarget }) => setDraft({ ...draft, bio: currentTarget.value })}
        />
        <TextInput
          label="Company"
          maxLength={200}
          value={draft.company}
          autoComplete="organization"
          onChange={({ currentTarget }) => setDraft({ ...draft, company: currentTarget.value })}
        />
        <TextInput
          label="Location"
          maxLength={200}
          value={draft.location}
          onChange={({ currentTarget }) => setDraft({ ...draft, location: currentTarget.value })}
        />
        {save.error && (
          <Banner tone="error">
            {errorMessageOf(save.error, 'Your profile was not saved. Your input is unchanged.')}
          </Banner>
        )}
        <div className={s.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!changed} loading={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Panel>
  );
}
