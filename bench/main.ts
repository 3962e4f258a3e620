// npm run bench [NAME…]: prints figures; asserts nothing.
import { benchActivation } from './activation.ts';
import { benchBackfill } from './backfill.ts';
import { benchBundle } from './bundle.ts';
import { benchControls } from './controls.ts';
import { benchCopy } from './copy.ts';
import { benchExplore } from './explore.ts';
import { benchFindings } from './findings.ts';
import { benchFrames } from './frames.ts';
import { benchIngest } from './ingest.ts';
import { benchIntake } from './intake.ts';
import { benchLedger } from './ledger.ts';
import { benchMembers } from './members.ts';
import { benchPresence } from './presence.ts';
import { benchReport } from './report-pdf.ts';
import { benchSarif } from './sarif.ts';
import { benchStartup } from './startup.ts';
import { benchTimeline } from './timeline.ts';
import { benchTools } from './tools.ts';
import { benchVerification } from './verification.ts';
import { benchWebhooks } from './webhooks.ts';

const benchmarks: Record<string, () => Promise<void>> = {
  start: benchStartup,
  ingest: benchIngest,
  backfill: benchBackfill,
  intake: benchIntake,
  webhooks: benchWebhooks,
  explore: benchExplore,
  copy: benchCopy,
  ledger: benchLedger,
  controls: benchControls,
  bundle: benchBundle,
  verification: benchVerification,
  report: benchReport,
  members: benchMembers,
  frames: benchFrames,
  timeline: benchTimeline,
  findings: benchFindings,
  sarif: benchSarif,
  tools: benchTools,
  presence: benchPresence,
  activation: benchActivation,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(benchmarks).join(', ')}`);
  process.exit(1);
}
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length === 0 || asked.includes(name)) await run();
}
