import { Button, Checkbox, Select, Switch, TextInput } from '@mantine/core';
import {
  createPortal,
  listPortals,
  MAX_PORTAL_DAYS,
  MAX_PORTAL_SNAPSHOTS,
  type Portal,
} from '@sightline/contract/compliance/auditor-portals.ts';
import { listSnapshots, type SnapshotRedaction } from '@sightline/contract/compliance/snapshots.ts';
import { normalizeInvitationAddress } from '@sightline/contract/core/addresses.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, endpointQuery } from '#lib/api.ts';
import { errorMessageOf } from '#lib/reason.ts';
import { CopyButton } from '#ui/CopyButton.tsx';
import { Dialog } from '#ui/Dialog.tsx';
import { dateFieldAfterDays, endOfDay } from '#ui/days.ts';
import { FormDialog } from '#ui/FormDialog.tsx';
import { Link } from '#ui/Link.tsx';
import { RedactionSelect } from '#ui/RedactionSelect.tsx';
import { snapshotPeriodName } from '#ui/snapshotText.ts';
import s from './Portals.module.css';

// Access ends at the end of the last day, up to 24 hours after the current time of that day.
const maxDaysAhead = MAX_PORTAL_DAYS - 1;
const defaultDays = 14;

/** Creates a portal from the entered scope and duration, then shows the link once. */
export function NewPortal({ onClose }: { onClose: () => void }) {
  const open = useMutation({
    mutationFn: (body: Parameters<typeof call<typeof createPortal>>[1]['body']) => call(createPortal, { body }),
    meta: { quiet: true },
  });
  if (open.data) return <OpenedLink link={open.data.link} mailed={open.data.portal.auditor.email} onClose={onClose} />;
  return (
    <PortalForm
      pending={open.isPending}
      problem={open.error ? errorMessageOf(open.error, 'The portal was not created. Try again.') : undefined}
      onClose={onClose}
      onSubmit={(body) => open.mutate(body)}
    />
  );
}

interface PortalFormProps {
  pending: boolean;
  problem: string | undefined;
  onClose: () => void;
  onSubmit: (body: Parameters<typeof call<typeof createPortal>>[1]['body']) => void;
}

function PortalForm({ pending, problem, onClose, onSubmit }: PortalFormProps) {
  const [name, setName] = useState('');
  const [auditor, setAuditor] = useState('');
  const [email, setEmail] = useState('');
  const [day, setDay] = useState(dateFieldAfterDays(defaultDays));
  const [snapshots, setSnapshots] = useState<string[]>([]);
  const [redaction, setRedaction] = useState<SnapshotRedaction>('none');
  const [hasNames, setNames] = useState(false);
  const address = email.trim() === '' ? null : normalizeInvitationAddress(email);
  const [earlier, setEarlier] = useState<string | null>(null);
  const { data } = useQuery(endpointQuery(listSnapshots, { query: { perPage: 100 } }));
  const readySnapshots = (data?.rows ?? []).filter(({ state }) => state === 'ready');
  const expiry = day >= dateFieldAfterDays(0) && day <= dateFieldAfterDays(maxDaysAhead) ? endOfDay(day) : undefined;
  const named = name.trim() !== '' && auditor.trim() !== '';
  return (
    <FormDialog
      title="New auditor portal"
      submit="Create portal"
      width={520}
      ready={named && expiry !== undefined && address !== undefined && snapshots.length > 0}
      pending={pending}
      problem={problem}
      onClose={onClose}
      onSubmit={() =>
        expiry !== undefined &&
        address !== undefined &&
        onSubmit({
          name: name.trim(),
          auditor: { name: auditor.trim(), email: address },
          snapshots,
          redaction,
          rollForwardFrom: earlier,
          people: hasNames && redaction === 'none' ? 'names' : 'pseudonyms',
          expiresAt: expiry,
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
      <AuditorFields
        auditor={auditor}
        email={email}
        isInvalid={address === undefined && email.includes('@')}
        onChange={(changed) => {
          setAuditor(changed.auditor ?? auditor);
          setEmail(changed.email ?? email);
          setEarlier(null);
        }}
      />
      <Checkbox.Group label="Snapshots" value={snapshots} onChange={setSnapshots}>
        <div className={s.choices}>
          {readySnapshots.map(({ id, name: words, period }) => (
            <Checkbox
              key={id}
              value={id}
              label={`${words} (${snapshotPeriodName(period)})`}
              disabled={snapshots.length >= MAX_PORTAL_SNAPSHOTS && !snapshots.includes(id)}
            />
          ))}
          {data && readySnapshots.length === 0 && (
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
        min={dateFieldAfterDays(0)}
        max={dateFieldAfterDays(maxDaysAhead)}
        error={expiry === undefined && `Choose a day from today to ${maxDaysAhead} days ahead`}
        onChange={({ currentTarget }) => setDay(currentTarget.value)}
      />
      <EarlierPortalSelect
        key={`${auditor.trim()} ${address}`}
        auditor={{ name: auditor.trim(), email: address ?? null }}
        value={earlier}
        onChange={setEarlier}
      />
      <PersonalDataFields redaction={redaction} hasNames={hasNames} onRedact={setRedaction} onName={setNames} />
    </FormDialog>
  );
}

interface AuditorProps {
  auditor: string;
  email: string;
  isInvalid: boolean;
  onChange: (changed: { auditor?: string; email?: string }) => void;
}

const AuditorFields = ({ auditor, email, isInvalid, onChange }: AuditorProps) => (
  <>
    <TextInput
      label="Auditor"
      description="Shown as a watermark on every page of the portal"
      maxLength={120}
      value={auditor}
      onChange={({ currentTarget }) => onChange({ auditor: currentTarget.value })}
    />
    <TextInput
      label="Email address"
      description="The link is sent to this address. Leave empty to deliver the link yourself."
      type="email"
      maxLength={254}
      value={email}
      error={isInvalid && 'Enter a valid email address'}
      onChange={({ currentTarget }) => onChange({ email: currentTarget.value })}
    />
  </>
);

interface EarlierPortalProps {
  auditor: Portal['auditor'];
  value: string | null;
  onChange: (portalId: string | null) => void;
}

/** Selects a portal of the same auditor that the new one continues. */
function EarlierPortalSelect({ auditor, value, onChange }: EarlierPortalProps) {
  const { data } = useQuery(endpointQuery(listPortals, { query: { perPage: 100 } }));
  const ofSameAuditor = (data?.rows ?? []).filter((one) => auditor.name !== '' && isSameAuditor(one.auditor, auditor));
  if (ofSameAuditor.length === 0) return null;
  return (
    <Select
      label="Continues"
      description="Open requests of that portal continue here. Its samples and conclusions are shown to the auditor as references."
      placeholder="No earlier portal"
      clearable
      data={ofSameAuditor.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
    />
  );
}

/** As the server compares them. */
const isSameAuditor = (one: Portal['auditor'], other: Portal['auditor']): boolean =>
  one.email === null && other.email === null ? one.name === other.name : one.email === other.email;

interface PersonalDataProps {
  redaction: SnapshotRedaction;
  hasNames: boolean;
  onRedact: (redaction: SnapshotRedaction) => void;
  onName: (hasNames: boolean) => void;
}

// With pseudonyms, the bundles of a portal never contain names of people.
const redactionsOfPortals = ['none', 'people', 'all'] as const;

const PersonalDataFields = ({ redaction, hasNames, onRedact, onName }: PersonalDataProps) => (
  <>
    <RedactionSelect
      description="The portal and its bundles do not disclose this data, even if the snapshots do."
      values={redactionsOfPortals}
      value={redaction}
      onChange={onRedact}
    />
    <Switch
      label="Show names of people"
      description="Otherwise the portal and its bundles show pseudonyms. You can export their key."
      disabled={redaction !== 'none'}
      checked={hasNames && redaction === 'none'}
      onChange={({ currentTarget }) => onName(currentTarget.checked)}
    />
  </>
);

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
