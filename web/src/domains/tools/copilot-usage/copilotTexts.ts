import type { CopilotCount } from '@sightline/contract/tools/copilot-usage.ts';

export const countLabels: Record<CopilotCount, string> = {
  dailyUsers: 'Active users',
  weeklyUsers: 'Active users of the week',
  monthlyUsers: 'Active users of the month',
  monthlyChatUsers: 'Chat users of the month',
  monthlyAgentUsers: 'Agent users of the month',
  dailyCliUsers: 'CLI users',
  interactions: 'Prompts',
  generations: 'Generations',
  acceptances: 'Acceptances',
  linesSuggested: 'Lines suggested',
  linesSuggestedToDelete: 'Lines suggested to delete',
  linesAdded: 'Lines added',
  linesDeleted: 'Lines deleted',
  pullRequestsCreated: 'Pull requests created',
  pullRequestsMerged: 'Pull requests merged',
  pullRequestsReviewed: 'Pull requests reviewed',
};

/** '1,204'; a count that GitHub did not report has no value. */
export const countText = (count: number | undefined): string => (count === undefined ? '–' : number.format(count));
const number = new Intl.NumberFormat('en-GB');

/** 'code_completion' as 'Code completion'. */
export function featureText(feature: string): string {
  const words = feature.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
