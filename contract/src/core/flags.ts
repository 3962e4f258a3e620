/** The feature flags of spec section 4, with the defaults of a new installation. */
export const flagDefaults = {
  extendedSettings: true,
  graphPreview: false,
  businessRoles: false,
  vulnerabilitiesEtl: false,
  dashboards: false,
  codecov: false,
  jira: false,
  dependabotInIntegrations: false,
  notificationSystem: true,
  release2: true,
  accountLinking: true,
  vulnerabilities: true,
  exploreDebuggingUi: false,
} as const satisfies Record<string, boolean>;

export type Flag = keyof typeof flagDefaults;

export const flagNames = Object.keys(flagDefaults) as readonly Flag[];
