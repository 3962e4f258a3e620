import { PasswordInput, Textarea, TextInput } from '@mantine/core';
import type { AnchorKind } from '@sightline/contract/ledger/anchors.ts';
import type { AnchorForm } from './draft.ts';
import s from './Ledger.module.css';

interface AnchorFieldsProps {
  draft: AnchorForm;
  set: (patch: Partial<AnchorForm>) => void;
}

const addresses: Partial<Record<AnchorKind, readonly [label: string, placeholder: string]>> = {
  witness: ['Witness URL', 'https://witness.example.com'],
  rfc3161: ['Authority URL', 'https://tsa.example.com/tsr'],
  webhook: ['Address', 'https://hooks.example.com/checkpoints'],
  git: ['Repository URL', 'https://git.example.com/audit/evidence.git'],
};

/** What one kind needs. */
export function AnchorFields({ draft, set }: AnchorFieldsProps) {
  const [label, placeholder] = addresses[draft.kind] ?? [];
  return (
    <>
      {label !== undefined && (
        <TextInput
          label={label}
          placeholder={placeholder ?? ''}
          type="url"
          value={draft.url}
          maxLength={2000}
          autoComplete="off"
          onChange={({ currentTarget }) => set({ url: currentTarget.value })}
        />
      )}
      {draft.kind === 'witness' && (
        <TextInput
          label="Witness public key"
          description="Get it from the operator of the witness, and give them the signing key of this ledger."
          placeholder="witness.example.com/audit+1a2b3c4d+BB…"
          value={draft.key}
          maxLength={400}
          autoComplete="off"
          spellCheck={false}
          onChange={({ currentTarget }) => set({ key: currentTarget.value })}
        />
      )}
      {draft.kind === 'rfc3161' && (
        <Textarea
          label="Root certificates"
          description="As PEM. Leave empty to trust the public certificate authorities."
          value={draft.certificates}
          maxLength={40_000}
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          className={s.mono ?? ''}
          onChange={({ currentTarget }) => set({ certificates: currentTarget.value })}
        />
      )}
      {draft.kind === 'mail' && (
        <Textarea
          label="Further addresses"
          description="Optional, such as an auditor. One per line, ten at most. Each must confirm by email before it receives checkpoints."
          value={draft.addresses}
          autosize
          minRows={2}
          maxRows={6}
          spellCheck={false}
          onChange={({ currentTarget }) => set({ addresses: currentTarget.value })}
        />
      )}
      {draft.kind === 'git' && <GitFields draft={draft} set={set} />}
    </>
  );
}

function GitFields({ draft, set }: AnchorFieldsProps) {
  const field = (name: 'branch' | 'folder' | 'user', label: string, description?: string) => (
    <TextInput
      label={label}
      {...(description !== undefined && { description })}
      value={draft[name]}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
    />
  );
  return (
    <>
      <PasswordInput
        label="Token"
        description="Grant only write access to this repository. It is stored encrypted and never shown again."
        value={draft.secret}
        maxLength={500}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ secret: currentTarget.value })}
      />
      {field('user', 'User name', 'Only if the code host requires one with the token.')}
      <div className={s.pair}>
        {field('branch', 'Branch')}
        {field('folder', 'Folder')}
      </div>
    </>
  );
}
