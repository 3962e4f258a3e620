import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { reasonOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import s from './Settings.module.css';

export interface SettingsDraft<Values> {
  /** What is kept, with what was changed since. */
  chosen: Values;
  changed: boolean;
  change: (patch: Partial<Values>) => void;
  discard: () => void;
  save: () => void;
  saving: boolean;
  error: Error | null;
}

/** Settings as they are being changed. What was chosen stays until it is kept, also when keeping it fails. */
export function useDraft<Values extends object, Kept>(
  kept: Values,
  keep: (chosen: Values) => Promise<Kept>,
  onKept: (answer: Kept) => unknown,
): SettingsDraft<Values> {
  const [draft, setDraft] = useState<Partial<Values>>({});
  const chosen = { ...kept, ...draft };
  const save = useMutation({
    mutationFn: () => keep(chosen),
    onSuccess: (answer) => {
      setDraft({});
      return onKept(answer);
    },
    meta: { quiet: true },
  });
  return {
    chosen,
    changed: JSON.stringify(chosen) !== JSON.stringify(kept),
    change: (patch) => {
      save.reset();
      setDraft({ ...draft, ...patch });
    },
    discard: () => setDraft({}),
    save: () => save.mutate(),
    saving: save.isPending,
    error: save.error,
  };
}

interface DraftFormProps {
  draft: Pick<SettingsDraft<object>, 'changed' | 'discard' | 'save' | 'saving' | 'error'>;
  /** Said where the server gave no reason. */
  failed: string;
  children: ReactNode;
}

/** The form around a draft: why it could not be kept, Save, and the way back to what is kept. */
export function DraftForm({ draft: { changed, discard, save, saving, error }, failed, children }: DraftFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changed) save();
  };
  return (
    <form className={s.page} onSubmit={submit}>
      {children}
      {error && <Banner tone="error">{reasonOf(error, failed)}</Banner>}
      <div className={s.actions}>
        <Button type="submit" disabled={!changed} loading={saving}>
          Save
        </Button>
        {changed && (
          <Button variant="default" onClick={discard}>
            Discard changes
          </Button>
        )}
      </div>
    </form>
  );
}
