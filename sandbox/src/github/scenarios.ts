import { type HostScenarios, reportsAll } from '../planted/host-scenarios.ts';

export const scenarios: HostScenarios = {
  title: 'GitHub',
  behavior: { queue: 'bot', rebased: 'copies', ...reportsAll, pullRequestScenarios: {}, days: {} },
  compliant: {
    'CHG-01': 'pass independent_approval',
    'CHG-02': 'pass by_pull_request',
    'CHG-03': 'pass merged_by_another',
    'CHG-05': 'pass required_checks_passed',
    'CHG-06': 'pass ticket_found',
  },
  differences: {},
};
