import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { errorMessageOf } from '#lib/reason.ts';
import { Banner } from '#ui/Banner.tsx';
import s from './Settings.module.css';

export interface SettingsDraft<Values> {
  /** The saved values with the unsaved changes. */
  chosen: Values;
  changed: boolean;
  change: (patch: Partial<Values>) => void;
  discard: () => void;
  save: () => void;
  saving: boolean;
  error: Error | null;
}

/** Holds unsaved settings. Changes remain until they are saved, also if saving fails. */
export function useSettingsDraft<Values extends object, Saved>(
  savedValues: Values,
  saveValues: (chosen: Values) => Promise<Saved>,
  onSaved: (answer: Saved) => unknown,
): SettingsDraft<Values> {
  const [draft, setDraft] = useState<Partial<Values>>({});
  const chosen = { ...savedValues, ...draft };
  const save = useMutation({
    mutationFn: () => saveValues(chosen),
    onSuccess: (answer) => {
      setDraft({});
      return onSaved(answer);
    },
    meta: { quiet: true },
  });
  return {
    chosen,
    changed: JSON.stringify(chosen) !== JSON.stringify(savedValues),
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
  /** The message if the server returned no reason. */
  failed: string;
  children: ReactNode;
}

/** The form of a draft: the save error, Save, and Discard changes. */
export function DraftForm({ draft: { changed, discard, save, saving, error }, failed, children }: DraftFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changed) save();
  };
  return (
    <form className={s.page} onSubmit={submit}>
      {children}
      {error && <Banner tone="error">{errorMessageOf(error, failed)}</Banner>}
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
