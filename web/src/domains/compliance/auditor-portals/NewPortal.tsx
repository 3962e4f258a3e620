import { Button, Checkbox, Switch, TextInput } from '@mantine/core';
import { createPortal, MAX_PORTAL_DAYS, MAX_PORTAL_SNAPSHOTS } from '@sightline/contract/compliance/auditor-portals.ts';
import { listSnapshots } from '@sightline/contract/compliance/snapshots.ts';
import { invitableAddress } from '@sightline/contract/core/addresses.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, call } from '#lib/api.ts';
import { reasonOf } from '#lib/reason.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { endOf, fieldIn } from '#ui/days.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { Link } from '#ui/Link.tsx';
import { periodName } from '#ui/snapshotWords.ts';
import s from './Portals.module.css';

// The last day ends up to a day after the same time of it.
const furthest = MAX_PORTAL_DAYS - 1;
const usualDays = 14;

/** Asks what an auditor is to see and for how long; then shows the link, this once. */
export function NewPortal({ onClose }: { onClose: () => void }) {
  const open = useMutation({
    mutationFn: (body: Parameters<typeof call<typeof createPortal>>[1]['body']) => call(createPortal, { body }),
    meta: { quiet: true },
  });
  if (open.data) return <OpenedLink link={open.data.link} mailed={open.data.portal.auditor.email} onClose={onClose} />;
  return (
    <Asked
      pending={open.isPending}
      problem={open.error ? reasonOf(open.error, 'The portal was not created. Try again.') : undefined}
      onClose={onClose}
      onSubmit={(body) => open.mutate(body)}
    />
  );
}

interface AskedProps {
  pending: boolean;
  problem: string | undefined;
  onClose: () => void;
  onSubmit: (body: Parameters<typeof call<typeof createPortal>>[1]['body']) => void;
}

function Asked({ pending, problem, onClose, onSubmit }: AskedProps) {
  const [name, setName] = useState('');
  const [auditor, setAuditor] = useState('');
  const [email, setEmail] = useState('');
  const [day, setDay] = useState(fieldIn(usualDays));
  const [snapshots, setSnapshots] = useState<string[]>([]);
  const [withheld, setWithheld] = useState(false);
  const { data } = useQuery(ask(listSnapshots, { query: { perPage: 100 } }));
  const there = (data?.rows ?? []).filter(({ state }) => state === 'ready');
  const closes = day >= fieldIn(0) && day <= fieldIn(furthest) ? endOf(day) : undefined;
  const address = email.trim() === '' ? null : invitableAddress(email);
  const named = name.trim() !== '' && auditor.trim() !== '';
  return (
    <FormDialog
      title="New auditor portal"
      submit="Create portal"
      width={520}
      ready={named && closes !== undefined && address !== undefined && snapshots.length > 0}
      pending={pending}
      problem={problem}
      onClose={onClose}
      onSubmit={() =>
        closes !== undefined &&
        address !== undefined &&
        onSubmit({
          name: name.trim(),
          auditor: { name: auditor.trim(), email: address },
          snapshots,
          redaction: withheld ? 'people' : 'none',
          expiresAt: closes,
        })
      }
    >
      <TextInput
        label="Portal name"
        placeholder="SOC 2, third quarter"
        maxLength={120}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label="Auditor"
        description="Shown as a watermark on every page of the portal"
        maxLength={120}
        value={auditor}
        onChange={({ currentTarget }) => setAuditor(currentTarget.value)}
      />
      <TextInput
        label="Email address"
        description="The link is sent to this address. Leave empty to deliver the link yourself."
        type="email"
        maxLength={254}
        value={email}
        error={address === undefined && email.includes('@') && 'Enter a valid email address'}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <Checkbox.Group label="Snapshots" value={snapshots} onChange={setSnapshots}>
        <div className={s.choices}>
          {there.map(({ id, name: words, period }) => (
            <Checkbox
              key={id}
              value={id}
              label={`${words} (${periodName(period)})`}
              disabled={snapshots.length >= MAX_PORTAL_SNAPSHOTS && !snapshots.includes(id)}
            />
          ))}
          {data && there.length === 0 && (
            <p className="dim">
              No snapshot is ready. <Link href="/evidence/snapshots">Create one</Link> first.
            </p>
          )}
        </div>
      </Checkbox.Group>
      <TextInput
        type="date"
        label="Expires at the end of"
        w={220}
        value={day}
        min={fieldIn(0)}
        max={fieldIn(furthest)}
        error={closes === undefined && `Choose a day from today to ${furthest} days ahead`}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <Switch
        label="Redact personal data"
        description="The portal does not disclose committed personal data, such as titles, even if the snapshots do."
        checked={withheld}
        onChange={({ currentTarget }) => setWithheld(currentTarget.checked)}
      />
    </FormDialog>
  );
}

const OpenedLink = ({ link, mailed, onClose }: { link: string; mailed: string | null; onClose: () => void }) => (
  <Dialog
    title="The portal is active"
    opened
    onClose={onClose}
    width={520}
    actions={
      <>
        <CopyButton value={link} label="Copy link" />
        <Button onClick={onClose}>Done</Button>
      </>
    }
  >
    <p>
      This link is shown once. {mailed === null ? 'Send it to the auditor' : `Another link is emailed to ${mailed}`}.
      Anyone with the link has access until the portal expires.
    </p>
    <TextInput
      className={s.link ?? ''}
      label="Portal link"
      readOnly
      value={link}
      onFocus={({ currentTarget }) => currentTarget.select()}
    />
  </Dialog>
);
