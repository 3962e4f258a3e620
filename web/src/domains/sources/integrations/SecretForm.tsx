import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import s from './Setup.module.css';

/** The state of a form with a secret. */
export interface SecretState<Field extends string> {
  draft: Readonly<Record<Field, string>>;
  errors: Readonly<Partial<Record<Field, string>>>;
  /** The first field with an error. */
  faulty: Field | undefined;
  dirty: boolean;
  ready: boolean;
  connecting: boolean;
  change: (field: Field, value: string) => void;
  connect: () => void;
}

interface SecretFormProps {
  form: Pick<SecretState<string>, 'faulty' | 'dirty' | 'ready' | 'connecting' | 'connect'>;
  onDirty: (dirty: boolean) => void;
  children: ReactNode;
  actions: ReactNode;
}

/** The form in a drawer that connects an integration by a secret: fields, then actions. */
export function SecretForm({ form, onDirty, children, actions }: SecretFormProps) {
  const { faulty, dirty, ready, connecting, connect } = form;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  // The drawer sets the focus when it opens, which may be before the form is rendered.
  useEffect(() => element.current?.querySelector<HTMLInputElement>('[data-autofocus]')?.focus(), []);
  // Focuses the first field with an error, also for screen readers.
  useEffect(() => {
    if (faulty !== undefined) element.current?.querySelector<HTMLInputElement>(`[name="${faulty}"]`)?.focus();
  }, [faulty]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready && !connecting) connect();
  };
  return (
    <form ref={element} className={s.form} onSubmit={submit} noValidate>
      <div className={s.fields}>{children}</div>
      <div className={s.actions}>{actions}</div>
    </form>
  );
}

/** The props of a field of such a form. */
export const secretFieldProps = <Field extends string>(form: SecretState<Field>, name: Field) => ({
  name,
  value: form.draft[name],
  error: form.errors[name],
  // Set explicitly, because the password field omits it.
  'aria-invalid': form.errors[name] !== undefined,
  spellCheck: false,
  autoCapitalize: 'none',
  autoComplete: 'off',
  onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => form.change(name, currentTarget.value),
});

interface SecretInputProps extends Omit<PasswordInputProps, 'visible' | 'description'> {
  /** The noun in 'Show the …'. */
  noun: string;
  /** The last characters of the current secret, if one exists. */
  end: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

/** The input of a secret that is stored encrypted. Excluded from password managers. */
export function SecretInput({ noun, end, ...field }: SecretInputProps) {
  const [shown, setShown] = useState(false);
  const stored = 'Stored encrypted, and never shown again.';
  return (
    <PasswordInput
      {...field}
      required
      data-1p-ignore
      data-lpignore="true"
      description={end === undefined ? stored : `${stored} The one in use ends in ${end}.`}
      visible={shown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{ 'aria-label': shown ? `Hide the ${noun}` : `Show the ${noun}`, tabIndex: 0 }}
    />
  );
}

/** Lists the required permissions of a secret, and where to create one. */
export const SecretRequirements = ({
  title,
  needs,
  children,
}: {
  title: string;
  needs: readonly string[];
  children?: ReactNode;
}) => (
  <div className={s.scopes}>
    <h3>
      <IconShieldLock size={15} aria-hidden />
      {title}
    </h3>
    <ul>
      {needs.map((need) => (
        <li key={need}>{need}</li>
      ))}
    </ul>
    {children}
  </div>
);
