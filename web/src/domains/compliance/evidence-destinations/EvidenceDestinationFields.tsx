import { Checkbox, PasswordInput, Switch, TextInput } from '@mantine/core';
import { type ControlId, controlIds } from '@sightline/contract/core/control-ids.ts';
import type { EvidenceDestinationForm } from './draft.ts';
import s from './EvidenceDestinations.module.css';

interface EvidenceDestinationFieldsProps {
  draft: EvidenceDestinationForm;
  set: (patch: Partial<EvidenceDestinationForm>) => void;
  /** Whether a secret is stored, which stays if the field is empty. */
  hasSecret: boolean;
}

/** The fields of a kind, with a hint where its values are found at the receiver. */
export function EvidenceDestinationFields({ draft, set, hasSecret }: EvidenceDestinationFieldsProps) {
  const { kind } = draft;
  const secret = secrets[kind];
  return (
    <>
      <TextInput
        {...addresses[kind]}
        type="url"
        value={draft.urls[kind]}
        maxLength={2000}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ urls: { ...draft.urls, [kind]: currentTarget.value } })}
      />
      {kind === 'vanta' && <VantaFields draft={draft} set={set} />}
      {kind === 'drata' && <DrataFields draft={draft} set={set} />}
      {kind === 'defectdojo' && <DojoFields draft={draft} set={set} />}
      {kind === 'gitlab' && <GitlabFields draft={draft} set={set} />}
      {secret && (
        <PasswordInput
          label={hasSecret ? `Another ${secret.label.toLowerCase()}` : secret.label}
          description={
            hasSecret ? 'Leave empty to keep the current one, which is sent to this address only.' : secret.description
          }
          value={draft.secret}
          maxLength={2000}
          autoComplete="off"
          onChange={({ currentTarget }) => set({ secret: currentTarget.value })}
        />
      )}
    </>
  );
}

const addresses: Record<
  EvidenceDestinationForm['kind'],
  { label: string; description?: string; placeholder?: string }
> = {
  vanta: { label: 'API URL', description: 'https://api.vanta-gov.com for Vanta Gov.' },
  drata: {
    label: 'API URL',
    description: 'https://public-api.eu.drata.com or https://public-api.apac.drata.com in other regions.',
  },
  defectdojo: { label: 'DefectDojo URL', placeholder: 'https://defectdojo.example.com' },
  gitlab: { label: 'GitLab URL' },
  webhook: { label: 'Address', placeholder: 'https://hooks.example.com/evidence' },
};

const secrets: Partial<Record<EvidenceDestinationForm['kind'], { label: string; description: string }>> = {
  vanta: {
    label: 'Client secret',
    description: 'Of the same application, with the scopes to read, write and upload documents.',
  },
  drata: {
    label: 'API key',
    description: 'Under Settings, API Keys. Grant only List Evidence and Create Evidence.',
  },
  defectdojo: {
    label: 'API token',
    description: 'In the menu of a dedicated user, API v2 Key. It needs permission to import scans into the product.',
  },
  gitlab: { label: 'HMAC secret', description: 'The shared secret of the external control.' },
};

interface FieldsProps extends Pick<EvidenceDestinationFieldsProps, 'draft' | 'set'> {}

type Texts = {
  [Key in keyof EvidenceDestinationForm]: EvidenceDestinationForm[Key] extends string ? Key : never;
}[keyof EvidenceDestinationForm];

function Field({
  name,
  label,
  description,
  placeholder,
  draft,
  set,
}: FieldsProps & {
  name: Exclude<Texts, 'kind' | 'secret'>;
  label: string;
  description?: string;
  placeholder?: string;
}) {
  return (
    <TextInput
      label={label}
      {...(description !== undefined && { description })}
      {...(placeholder !== undefined && { placeholder })}
      value={draft[name]}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value })}
    />
  );
}

const VantaFields = (props: FieldsProps) => (
  <>
    <Field
      {...props}
      name="documentId"
      label="Document ID"
      description="The part after /documents/ in the address of its page at Vanta."
      placeholder="change-management"
    />
    <Field
      {...props}
      name="clientId"
      label="Client id"
      description="Of an application of the type Manage Vanta, under Settings, Developer console."
    />
    <Switch
      label="Submit the document if every control passes"
      description="A submitted document passes at Vanta. Otherwise the files stay drafts until they are submitted there."
      checked={props.draft.submit}
      onChange={({ currentTarget }) => props.set({ submit: currentTarget.checked })}
    />
  </>
);

const DrataFields = (props: FieldsProps) => (
  <>
    <div className={s.pair}>
      <Field {...props} name="workspaceId" label="Workspace ID" placeholder="1" />
      <Field {...props} name="ownerId" label="Owner ID" description="Optional." />
    </div>
    <Field
      {...props}
      name="controlIds"
      label="Control IDs"
      description="Optional: the Drata controls that the evidence supports, separated by commas."
      placeholder="12, 48"
    />
  </>
);

const DojoFields = (props: FieldsProps) => (
  <>
    <Field {...props} name="product" label="Product" description="Created if it does not exist." />
    <div className={s.pair}>
      <Field {...props} name="productType" label="Product type" />
      <Field {...props} name="engagement" label="Engagement" />
    </div>
  </>
);

const GitlabFields = (props: FieldsProps) => (
  <>
    <Field
      {...props}
      name="externalControl"
      label="External control ID"
      description="The ID in the requests that GitLab sends for it."
      placeholder="7"
    />
    <Checkbox.Group
      label="Controls it represents"
      description="A project passes if all of them pass. Missing evidence is reported as failed, because GitLab has no status for it."
      value={[...props.draft.controls]}
      onChange={(controls) => props.set({ controls: controls as ControlId[] })}
    >
      <div className={s.controls}>
        {controlIds.map((id) => (
          <Checkbox key={id} value={id} label={id} />
        ))}
      </div>
    </Checkbox.Group>
  </>
);
