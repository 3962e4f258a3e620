import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import s from './Setup.module.css';

/** What a form with a secret knows of itself. */
export interface SecretState<Field extends string> {
  draft: Readonly<Record<Field, string>>;
  errors: Readonly<Partial<Record<Field, string>>>;
  /** The first field that was found fault with. */
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

/** The form in a drawer in which something is connected by a secret: fields, and below them what can be done. */
export function SecretForm({ form, onDirty, children, actions }: SecretFormProps) {
  const { faulty, dirty, ready, connecting, connect } = form;
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  // The drawer looks for what to focus when it opens, which may be before the form is known.
  useEffect(() => element.current?.querySelector<HTMLInputElement>('[data-autofocus]')?.focus(), []);
  // Where the answer finds fault, the person goes on; said to those who cannot see it, too.
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

/** What a field of such a form shows, and how it is changed. */
export const fieldOf = <Field extends string>(form: SecretState<Field>, name: Field) => ({
  name,
  value: form.draft[name],
  error: form.errors[name],
  // Said by us: the password field leaves it out.
  'aria-invalid': form.errors[name] !== undefined,
  spellCheck: false,
  autoCapitalize: 'none',
  autoComplete: 'off',
  onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => form.change(name, currentTarget.value),
});

interface SecretInputProps extends Omit<PasswordInputProps, 'visible' | 'description'> {
  /** As it is called in 'Show the …'. */
  noun: string;
  /** What the one in use ends in, where there is one. */
  end: string | undefined;
  ref?: Ref<HTMLInputElement>;
}

/** A secret that is stored sealed; password managers leave it alone. */
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

/** What the other side must let a secret do, and where one is made. */
export const Needs = ({
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
