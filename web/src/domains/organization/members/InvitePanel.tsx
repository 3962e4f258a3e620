import { Button, Select, UnstyledButton } from '@mantine/core';
import { normalizeInvitationAddress, parseAddresses, parseCsvAddresses } from '@sightline/contract/core/addresses.ts';
import type { RoleId } from '@sightline/contract/core/permissions.ts';
import { MAX_INVITATIONS_PER_REQUEST } from '@sightline/contract/organization/invitations.ts';
import { defaultRole, type Role } from '@sightline/contract/organization/roles.ts';
import { IconMail } from '@tabler/icons-react';
import { type DragEvent, type FormEvent, memo, useId, useRef, useState } from 'react';
import { announce } from '#ui/announce.ts';
import { Banner } from '#ui/Banner.tsx';
import { Panel } from '#ui/Panel.tsx';
import { Progress } from '#ui/Progress.tsx';
import { AddressField } from './AddressField.tsx';
import {
  addEntries,
  addedAddressesText,
  commitTypedText,
  emptyInvitationDraft,
  type InvitationDraft,
  inviteesOf,
} from './draft.ts';
import s from './Invite.module.css';
import { InviteResults } from './InviteResults.tsx';
import { useInvite } from './useInvite.ts';

interface InvitePanelProps {
  roles: readonly Role[];
  onExplain: () => void;
}

/** The maximum file size in bytes. A larger file was probably selected by mistake. */
const maxFileBytes = 5_000_000;

/** spec 2.8: addresses and a role. Addresses that could not be sent stay in the field. */
export const InvitePanel = memo(function InvitePanel({ roles, onExplain }: InvitePanelProps) {
  const [draft, setDraft] = useState<InvitationDraft>(emptyInvitationDraft);
  const [role, setRole] = useState<RoleId>(defaultRole);
  const [fileProblem, setFileProblem] = useState<string>();
  const [over, setOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const { invite, progress, results, failure, forget } = useInvite((sent) =>
    setDraft((now) => ({ ...now, entries: now.entries.filter(({ text }) => !sent.includes(text)) })),
  );
  const entries = inviteesOf(draft);
  const valid = entries.filter(({ address }) => address !== undefined).length;
  const wrong = draft.entries.filter(({ address }) => address === undefined).length;

  const readFile = async (given: File | undefined) => {
    setFileProblem(undefined);
    if (!given) return;
    if (given.size > maxFileBytes) return setFileProblem(`${given.name} is too large for a list of addresses.`);
    const found = parseCsvAddresses(await given.text());
    if (found.valid.length + found.invalid.length === 0)
      return setFileProblem(`${given.name} holds no email addresses. A CSV file with a column “email” works best.`);
    setDraft((now) => addEntries(now, found));
    announce(`${addedAddressesText(found)} from ${given.name}`);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) return void readFile(dropped);
    const found = parseAddresses(event.dataTransfer.getData('text'));
    setDraft((now) => addEntries(now, found));
    announce(addedAddressesText(found));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (valid === 0 || progress) return;
    setDraft(commitTypedText(draft));
    void invite(
      entries.flatMap(({ address }) => address ?? []),
      role,
    );
  };
  const choices = [...roles.filter(({ id }) => id !== 'rol_owner'), ...roles.filter(({ id }) => id === 'rol_owner')];

  return (
    <Panel title="Invite members" flush aside={<Explain onClick={onExplain} />}>
      <form
        className={s.form}
        data-over={over || undefined}
        onSubmit={submit}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <AddressField
          draft={draft}
          onChange={(next) => {
            setDraft(next);
            forget();
          }}
          describedBy={hintId}
        />
        <div className={s.notes}>
          <p id={hintId} className={s.note} data-wrong={wrong > 0 || undefined} aria-live="polite">
            {noteOf(draft, wrong)}
          </p>
          <UnstyledButton className={s.link ?? ''} onClick={() => file.current?.click()}>
            Import CSV
          </UnstyledButton>
        </div>
        {fileProblem && (
          <Banner tone="error" onClose={() => setFileProblem(undefined)}>
            {fileProblem}
          </Banner>
        )}
        {failure && (
          <Banner tone="error" details={failure.cause} onClose={forget}>
            {failure.message}
          </Banner>
        )}
        <div className={s.foot}>
          <Select
            aria-label="Role"
            className={s.select ?? ''}
            data={choices.filter(({ assignable }) => assignable).map(({ id, name }) => ({ value: id, label: name }))}
            value={role}
            onChange={(chosen) => chosen && setRole(chosen as RoleId)}
            allowDeselect={false}
            disabled={roles.length === 0}
          />
          <input
            ref={file}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            className="vh"
            tabIndex={-1}
            aria-hidden
            onChange={({ currentTarget }) => {
              void readFile(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
          <Button
            type="submit"
            disabled={valid === 0}
            loading={progress !== undefined}
            leftSection={<IconMail size={15} aria-hidden />}
          >
            {`Invite ${valid}`}
          </Button>
        </div>
        {progress && progress.total > MAX_INVITATIONS_PER_REQUEST && (
          <Progress
            label="Inviting"
            done={progress.done}
            total={progress.total}
            words={`${progress.done} of ${progress.total}`}
          />
        )}
        {results && <InviteResults results={results} onClose={forget} />}
      </form>
    </Panel>
  );
});

function noteOf({ text }: InvitationDraft, wrong: number): string {
  if (wrong > 0) return `${wrong} to correct. Select an address to edit it`;
  if (text.trim() !== '' && normalizeInvitationAddress(text) === undefined) return 'Incomplete address';
  return 'Type, paste a list, or drop a CSV file.';
}

const Explain = ({ onClick }: { onClick: () => void }) => (
  <UnstyledButton className={s.link ?? ''} onClick={onClick}>
    About roles
  </UnstyledButton>
);
