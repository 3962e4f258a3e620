import { getCopilotUsage, readCopilotUsage } from '@sightline/contract/tools/copilot-usage.ts';
import { type DemoRun, waitUntil } from './demo-run.ts';

const DAYS = 40;

/** Lets the sandbox offer usage reports of Copilot, and waits until the recent ones are read. */
export async function readCopilotReports({ owner, sandbox, report }: DemoRun): Promise<void> {
  const response = await fetch(`${sandbox.url}/_sandbox/copilot-usage`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ organization: sandbox.content.owners.github, days: DAYS }),
  });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
  await owner.call(readCopilotUsage, {});
  const days = await waitUntil('Reading the usage of Copilot', async () => {
    const usage = await owner.call(getCopilotUsage, {});
    const [source] = usage.sources;
    if (source?.state === 'failed' || source?.state === 'not_permitted') throw new Error(source.reason ?? source.state);
    return source?.state === 'read' ? usage.days : undefined;
  });
  report(`${days.length} days`);
}
