import { Select } from '@mantine/core';
import type { ScannerName } from '@sightline/contract/core/scan-sources.ts';
import { matchScannerProject, type ScannerProject } from '@sightline/contract/sources/integrations.ts';
import { call } from '#lib/api.ts';
import { useChange } from '#lib/change.ts';
import { toast } from '#ui/toast.ts';
import s from './Scanner.module.css';
import type { RepositoryOption } from './useRepositoryOptions.ts';

interface MatchSelectProps {
  scanner: ScannerName;
  project: ScannerProject;
  /** Undefined while loading. Until then the field must not report typed text as unmatched. */
  repositories: readonly RepositoryOption[] | undefined;
}

const none = 'none';

/** Selects the repository of a project by search, and saves the selection immediately. */
export function ProjectRepositorySelect({ scanner, project, repositories }: MatchSelectProps) {
  const { id, name, repository, matchedBy } = project;
  const match = useChange(
    (repositoryId: string | null) =>
      call(matchScannerProject, { params: { scanner, projectId: id }, body: { repositoryId } }),
    ({ repository: now }) => toast.success(now ? `${name} is linked to ${now.fullName}.` : `${name} is excluded.`),
    { failed: `The repository of ${name} could not be changed.` },
  );
  const chosen = match.isPending ? match.variables : undefined;
  const dropped = repository === null && matchedBy === 'manual';
  return (
    <Select
      className={s.select ?? ''}
      aria-label={`Repository of ${name}`}
      placeholder="Choose a repository"
      searchable
      // The options must be there when the first key selects one.
      openOnFocus
      selectFirstOptionOnChange
      allowDeselect={false}
      limit={50}
      nothingFoundMessage="No enabled repository matches"
      data={[{ value: none, label: 'No repository (exclude)' }, ...withPresent(repositories ?? [], repository)]}
      value={chosen === undefined ? (repository?.id ?? (dropped ? none : null)) : (chosen ?? none)}
      disabled={match.isPending || repositories === undefined}
      onChange={(value) => {
        if (value !== null) match.mutate(value === none ? null : value);
      }}
    />
  );
}

/** A repository that was disabled later remains the selected one. */
const withPresent = (repositories: readonly RepositoryOption[], present: ScannerProject['repository']) =>
  present === null || repositories.some(({ value }) => value === present.id)
    ? repositories
    : [{ value: present.id, label: present.fullName }, ...repositories];
