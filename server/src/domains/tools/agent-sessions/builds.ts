import type { SessionTouch } from './touches.ts';
import type { AgentVendor } from './vendor.ts';

/** The name of the event that attaches a session to a build. `sightline agent-session attach` sends it. */
const eventName = 'sightline.agent_session.attached';

// Names of the semantic conventions for CI/CD and version control.
const attributes = {
  build: 'cicd.pipeline.run.url.full',
  commit: 'vcs.ref.head.revision',
  branch: 'vcs.ref.head.name',
  repository: 'vcs.repository.url.full',
} as const;

export interface AttachedBuild {
  vendor: AgentVendor;
  session: string;
  commit: string;
  /** The page of the build. */
  build?: string | undefined;
  branch?: string | undefined;
  /** The URL of the repository on its code host. */
  repository?: string | undefined;
}

/** What attaches a session to a build, as an OTLP log record in JSON. */
export function buildRecordOf({ vendor, session, ...given }: AttachedBuild, at: Date): unknown {
  const [service = ''] = vendor.services;
  const [sessionAttribute = ''] = [vendor.session].flat();
  const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } });
  const known = Object.entries(attributes).flatMap(([name, key]) => {
    const value = given[name as keyof typeof attributes];
    return value === undefined ? [] : [attribute(key, value)];
  });
  const record = {
    timeUnixNano: `${at.getTime()}000000`,
    eventName,
    attributes: [attribute(sessionAttribute, session), ...known],
  };
  const resource = { attributes: [attribute('service.name', service)] };
  return { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] };
}

/** The commit and build of such a record; undefined for any other. */
export function attachedBuildOf(
  names: readonly string[],
  wordOf: (attribute: string) => string | undefined,
): SessionTouch[] | undefined {
  if (!names.includes(eventName)) return undefined;
  const commit = wordOf(attributes.commit)?.toLowerCase() ?? '';
  const build = pageOf(wordOf(attributes.build) ?? '');
  return [
    ...(/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(commit) ? [{ kind: 'commit' as const, value: commit }] : []),
    ...(build === undefined ? [] : [{ kind: 'build' as const, value: build }]),
  ];
}

/** The URL without what may grant access: credentials, query and fragment. */
function pageOf(given: string): string | undefined {
  if (!URL.canParse(given)) return undefined;
  const { protocol, origin, pathname } = new URL(given);
  return protocol === 'https:' || protocol === 'http:' ? `${origin}${pathname}` : undefined;
}
