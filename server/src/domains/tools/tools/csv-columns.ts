import {
  configurationStateNames,
  configurationTypeNames,
  type listAgentConfiguration,
} from '@sightline/contract/tools/agent-configuration.ts';
import { toolApprovalNames } from '@sightline/contract/tools/tools.ts';
import type { CsvColumns, RowOf } from '#core/list-exports.ts';

export const agentConfigurationCsvColumns: CsvColumns<RowOf<typeof listAgentConfiguration>> = {
  type: ({ type }) => configurationTypeNames[type],
  agent: ({ agent }) => agent,
  tool: ({ tool }) => tool.name,
  state: ({ state }) => configurationStateNames[state],
  source: ({ source }) => source,
  repository: ({ repository }) => repository?.fullName,
  path: ({ path }) => path,
  line: ({ line }) => line,
  person: ({ person }) => person?.name,
  program: ({ program }) => program,
  approval: ({ approval }) => toolApprovalNames[approval.state],
  policy: ({ approval }) => approval.policy?.name,
  'first seen': ({ firstSeen }) => firstSeen,
  'last seen': ({ lastSeen }) => lastSeen,
  'removed at': ({ removedAt }) => removedAt,
  'last change': ({ lastChange }) => lastChange?.at,
  'last author': ({ lastChange }) => lastChange?.author,
  id: ({ id }) => id,
};
