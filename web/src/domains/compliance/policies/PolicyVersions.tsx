import { listPolicyKinds, type PolicyVersion } from '@sightline/contract/compliance/policies.ts';
import { useQuery } from '@tanstack/react-query';
import { endpointQuery } from '#lib/api.ts';
import { Panel } from '#ui/Panel.tsx';
import { PersonName } from '#ui/PersonName.tsx';
import { StatusDot } from '#ui/StatusBadge.tsx';
import { TimeAgo } from '#ui/TimeAgo.tsx';
import s from './Policies.module.css';
import { policyModeTexts, settingLines } from './policyLabels.ts';

/** Lists every version, newest first, with the differences from the previous one. */
export function PolicyVersions({ versions }: { versions: readonly PolicyVersion[] }) {
  const kinds = useQuery(endpointQuery(listPolicyKinds, {})).data ?? [];
  return (
    <Panel title="Versions">
      <ol className={s.versions} reversed>
        {versions.map((version, index) => {
          const earlier = versions[index + 1];
          const previousLines = new Set(earlier ? linesOf(earlier, kinds) : []);
          const [tone, mode] = policyModeTexts[version.mode];
          const changed = [
            ...(earlier && earlier.mode !== version.mode ? [`Action on violation: ${mode}`] : []),
            ...linesOf(version, kinds).filter((line) => !previousLines.has(line)),
          ];
          return (
            <li key={version.version}>
              <span className={s.version}>
                <b>Version {version.version}</b>
                <StatusDot tone={tone}>{mode}</StatusDot>
                <span className="dim">
                  <PersonName person={version.author} />, <TimeAgo at={version.from} />
                  {version.until !== null && (
                    <>
                      {' '}
                      until <TimeAgo at={version.until} />
                    </>
                  )}
                </span>
              </span>
              <ul className={s.said}>
                {changed.length === 0 ? (
                  <li className="dim">No changes from the previous version.</li>
                ) : (
                  changed.map((line) => <li key={line}>{line}</li>)
                )}
              </ul>
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}

const linesOf = (version: PolicyVersion, kinds: Parameters<typeof settingLines>[1]) => [
  `Name: ${version.name}`,
  ...(version.scope.repositories === null ? [] : [`Repositories: ${version.scope.repositories.length}`]),
  ...(version.scope.branches.length === 0 ? [] : [`Branches: ${version.scope.branches.join(', ')}`]),
  ...settingLines(version, kinds),
];
